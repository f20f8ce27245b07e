// Ingests records: two workers hash and sort them, and take turns to store them.
package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"runtime/pprof"
	"sort"
	"strings"
	"sync"
	"time"
)

var stored [][]byte

func checksum(n int) (sum [32]byte) {
	record := []byte(strings.Repeat("record", 200))
	for i := 0; i < n; i++ {
		sum = sha256.Sum256(record)
	}
	return sum
}

func order(n int) int {
	keys := make([]int, n)
	for i := range keys {
		keys[i] = (i * 7919) % n
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i] < keys[j] })
	return keys[0]
}

func store() {
	stored = append(stored, make([]byte, 1<<19))
}

func work(end time.Time, lock *sync.Mutex) {
	for time.Now().Before(end) {
		checksum(1500)
		order(30000)
		lock.Lock()
		store()
		time.Sleep(time.Millisecond)
		lock.Unlock()
	}
}

func main() {
	var workers sync.WaitGroup
	var lock sync.Mutex
	end := time.Now().Add(time.Second)

	file, _ := os.Create("cpu.pb.gz")
	pprof.StartCPUProfile(file)
	for i := 1; i <= 2; i++ {
		workers.Add(1)
		labels := pprof.Labels("thread", fmt.Sprintf("worker %d", i), "queue", "orders")
		go func() {
			defer workers.Done()
			pprof.Do(context.Background(), labels, func(context.Context) { work(end, &lock) })
		}()
	}
	workers.Wait()
	pprof.StopCPUProfile()
	file.Close()

	file, _ = os.Create("heap.pb.gz")
	pprof.WriteHeapProfile(file)
	file.Close()
}
