/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A number (varint) has 7 bits in each byte, the lowest first; the highest bit of a byte says that
 * another byte follows. Ten bytes hold 64 bits. A member begins with a number: the field, times 8,
 * plus the type. p only moves past whole members. */
#include "config.h"

#include "read/pprof/wire.h"

#include <string.h>

#define NUMBER_BYTES 10
#define FIELD_MOST ((1u << 29) - 1)

void wire_init(struct wire *w, struct str memory, int64_t base)
{
	const unsigned char *start = (const unsigned char *)(memory.p ? memory.p : "");

	*w = (struct wire){ .start = start, .p = start, .end = start + memory.len, .base = base };
}

void wire_inner(struct wire *w, const struct wire *outer, const struct wire_field *field)
{
	/* A field of another kind has no bytes: an empty message. */
	const unsigned char *p = field->bytes.p ? (const unsigned char *)field->bytes.p : outer->p;

	*w = (struct wire){ .start = outer->start,
			    .p = p,
			    .end = p + field->bytes.len,
			    .base = outer->base };
}

int64_t wire_offset(const struct wire *w)
{
	return w->base + (w->p - w->start);
}

static bool fail(struct wire *w, const char *wrong)
{
	w->wrong = wrong;
	return false;
}

/* The memory ends within a member that needs `more` bytes from `at` on. */
static bool fail_short(struct wire *w, const unsigned char *at, uint64_t more)
{
	uint64_t before = (uint64_t)(at - w->start);

	w->is_short = true;
	w->need = more > UINT64_MAX - before ? UINT64_MAX : before + more;
	return fail(w, "ends within a member");
}

/* Read a number at *p, and move *p past it. */
static bool number_at(struct wire *w, const unsigned char **p, uint64_t *value)
{
	const unsigned char *at = *p;
	uint64_t v = 0;

	for (int i = 0; i < NUMBER_BYTES; i++) {
		if (at == w->end)
			return fail_short(w, at, 1);
		v |= (uint64_t)(*at & 0x7F) << (7 * i);
		if (*at++ < 0x80) {
			*p = at;
			*value = v;
			return true;
		}
	}
	return fail(w, "has a number of more than 10 bytes");
}

bool wire_number(struct wire *w, uint64_t *value)
{
	if (w->p < w->end && *w->p < 0x80) {
		*value = *w->p++;
		return true;
	}
	return w->p < w->end && number_at(w, &w->p, value);
}

/* The value of a fixed type, which is little-endian. */
static bool fixed_at(struct wire *w, const unsigned char **p, unsigned size, uint64_t *value)
{
	if ((size_t)(w->end - *p) < size)
		return fail_short(w, *p, size);
	*value = 0;
	for (unsigned i = 0; i < size; i++)
		*value |= (uint64_t)(*p)[i] << (8 * i);
	*p += size;
	return true;
}

static bool bytes_at(struct wire *w, const unsigned char **p, struct str *bytes)
{
	uint64_t len;

	if (!number_at(w, p, &len))
		return false;
	if ((uint64_t)(w->end - *p) < len)
		return fail_short(w, *p, len);
	*bytes = (struct str){ (const char *)*p, (size_t)len };
	*p += len;
	return true;
}

bool wire_next(struct wire *w, struct wire_field *field)
{
	const unsigned char *p = w->p;
	uint64_t tag;
	bool ok;

	if (p == w->end || !number_at(w, &p, &tag))
		return false;
	if (tag >> 3 == 0 || tag >> 3 > FIELD_MOST)
		return fail(w, "has a member without a valid field number");
	field->number = (uint32_t)(tag >> 3);
	field->value = 0;
	field->bytes = (struct str){ NULL, 0 };
	switch (tag & 7) {
	case WIRE_NUMBER:
		ok = number_at(w, &p, &field->value);
		break;
	case WIRE_FIXED64:
		ok = fixed_at(w, &p, 8, &field->value);
		break;
	case WIRE_BYTES:
		ok = bytes_at(w, &p, &field->bytes);
		break;
	case WIRE_FIXED32:
		ok = fixed_at(w, &p, 4, &field->value);
		break;
	default:
		return fail(w, "has a member of a type that is not read");
	}
	if (!ok)
		return false;
	field->type = (enum wire_type)(tag & 7);
	w->p = p;
	return true;
}
