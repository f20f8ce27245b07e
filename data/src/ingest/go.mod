module ingest

go 1.23
