# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds what can be changed in a C source, and writes the source with the changes in it.

Terms:
  unit      a condition, a statement, an initialiser or a part of the head of a for loop. Units do
            not overlap, and each can be repeated as text: `MUTANT(7) ? (changed) : (original)`.
  change    what one mutant does to one unit: (begin, end, replacement) in the text of the file.
  mutant    a unit with a change. Its key is (file, text of the line, description, number): it
            stays the same when other lines of the file change.

The sources are formatted by clang-format in one style, so a tokenizer and a few rules are enough:
what is misread does not compile, and a mutant that does not compile is replaced by another one.

Not changed: headers, preprocessor lines (so no size of a cache and no count of steps, which all
have names), initialisers of static tables, case labels, sizes of memory (arguments of malloc and
its relatives, sizeof), statements that only free memory, prefetch, advise the system or lock
(ThreadSanitizer judges locks), assertions, calls of die().
"""
import re
from collections import namedtuple

Token = namedtuple("Token", "kind text begin end")
Unit = namedtuple("Unit", "kind begin end line")
Mutant = namedtuple("Mutant", "key unit begin end text line")

TOKENS = re.compile(
    r"""(?P<space>[ \t\r\n]+)
      | (?P<comment>/\*.*?\*/|//[^\n]*)
      | (?P<string>"(?:[^"\\\n]|\\.)*")
      | (?P<char>'(?:[^'\\\n]|\\.)*')
      | (?P<number>(?:0[xX][0-9a-fA-F]+|\d+\.?\d*(?:[eE][-+]?\d+)?)[uUlLfF]*)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=
        |[-+*/%&|^~!<>=?:;,.(){}\[\]#])
      | (?P<other>.)""",
    re.X | re.S)

SWAPS = {"<": ("<=",), "<=": ("<",), ">": (">=",), ">=": (">",), "==": ("!=",), "!=": ("==",),
         "&&": ("||",), "||": ("&&",), "+=": ("-=",), "-=": ("+=",)}
# What may stand before a binary + or -.
OPERAND_ENDS = {"word", "number", "char"}
TYPES = {"static", "const", "struct", "enum", "union", "unsigned", "signed", "int", "char", "bool",
         "size_t", "ptrdiff_t", "ssize_t", "void", "double", "float", "long", "short", "uint8_t",
         "uint16_t", "uint32_t", "uint64_t", "int8_t", "int16_t", "int32_t", "int64_t", "extern",
         "uintptr_t", "typedef", "register", "volatile", "va_list", "wchar_t"}
ALLOCATES = re.compile(
    r"^x?(malloc|calloc|realloc|reallocarray|grow|memdup|strndup)\w*$|^arena_(alloc|get)\w*$")
IGNORED_STATEMENT = re.compile(
    r"^(\(void\)|free\b|\w+_free\b|\w+_done\b|json_object_put\b|json_tokener_free\b"
    r"|__builtin_prefetch\b|assert\b|_Static_assert\b|die\b|va_(start|end|copy)\b|abort\b"
    r"|__builtin_unreachable\b|pthread_mutex_lock\b|posix_fadvise\b|madvise\b|thread_stay_off\b)")


def tokens_of(text):
    """Tokens without space and comments; a preprocessor line is one token of kind "line"."""
    found, at, size = [], 0, len(text)
    is_line_start = True
    while at < size:
        if is_line_start:
            m = re.compile(r"[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.S).match(text, at)
            if m:
                found.append(Token("line", m.group(), at, m.end()))
                at = m.end()
                continue
        m = TOKENS.match(text, at)
        kind = m.lastgroup
        if kind not in ("space", "comment"):
            found.append(Token(kind, m.group(), at, m.end()))
        is_line_start = kind == "space" and "\n" in m.group() or kind == "comment" and is_line_start
        at = m.end()
    return found


class Misread(Exception):
    """The text of a function is not as expected; the rest of the function is left alone."""


class Parser:
    """Collects the units of all functions of a file."""

    def __init__(self, text):
        self.text = text
        self.tokens = tokens_of(text)
        self.match = self.brackets()
        self.units = []
        self.at = 0

    def brackets(self):
        match, open_ones = {}, []
        for i, t in enumerate(self.tokens):
            if t.kind == "sign" and t.text in "([{":
                open_ones.append(i)
            elif t.kind == "sign" and t.text in ")]}" and open_ones:
                match[open_ones.pop()] = i
        return match

    def line_of(self, place):
        return self.text.count("\n", 0, place) + 1

    def functions(self):
        """Function bodies: a brace in the first column that follows a closing parenthesis."""
        for i, t in enumerate(self.tokens):
            if (t.text == "{" and i and self.tokens[i - 1].text == ")" and i in self.match
                    and (t.begin == 0 or self.text[t.begin - 1] == "\n")):
                self.at = i
                try:
                    self.statement()
                except (Misread, IndexError, KeyError):
                    pass
        return self.units

    def text_at(self, i=None):
        return self.tokens[self.at if i is None else i].text

    def unit(self, kind, first, last):
        """Tokens first..last, both included. What spans a preprocessor line is no unit."""
        if last < first or any(t.kind == "line" for t in self.tokens[first:last + 1]):
            return
        begin, end = self.tokens[first].begin, self.tokens[last].end
        self.units.append((Unit(kind, begin, end, self.line_of(begin)), first, last))

    def find(self, i, *texts):
        """The first of these signs from token i on, outside of all brackets."""
        while self.tokens[i].text not in texts:
            if self.tokens[i].text in "}":
                raise Misread
            i = self.match[i] + 1 if self.tokens[i].text in ("(", "[", "{") else i + 1
        return i

    def head(self, kind):
        """The parenthesis after a keyword."""
        self.at += 1
        if self.text_at() != "(":
            raise Misread
        end = self.match[self.at]
        self.unit(kind, self.at + 1, end - 1)
        self.at = end + 1

    def for_head(self):
        self.at += 1
        first, end = self.at + 1, self.match[self.at]
        semi = self.find(first, ";")
        second = self.find(semi + 1, ";")
        if self.is_declaration(first):
            self.declaration(first, semi)
        else:
            self.unit("step", first, semi - 1)
        self.unit("condition", semi + 1, second - 1)
        self.unit("step", second + 1, end - 1)
        self.at = end + 1

    def is_declaration(self, i):
        t = self.tokens[i]
        if t.kind != "word":
            return False
        if t.text in TYPES:
            return True
        k = i + 1
        while self.tokens[k].text == "*":
            k += 1
        return (self.tokens[k].kind == "word" and self.tokens[k + 1].text in ("=", ";", ",", "[")
                and (k > i + 1 or t.text not in ("return", "goto", "else")))

    def declaration(self, i, semi):
        """The initialisers between token i and the semicolon, unless they are constant tables."""
        if {"static", "extern", "typedef"} & {t.text for t in self.tokens[i:min(i + 3, semi)]}:
            return
        while i < semi:
            i = self.find(i, "=", ",", ";")
            if i >= semi:
                return
            if self.tokens[i].text == "=":
                end = self.find(i + 1, ",", ";")
                if self.tokens[i + 1].text == "{":
                    self.members(i + 1)
                else:
                    self.unit("value", i + 1, end - 1)
                i = end
            else:
                i += 1

    def members(self, brace):
        """`{ .a = x, .b = y }`: a unit for each value."""
        i, end = brace + 1, self.match[brace]
        while i < end:
            first = i
            while i < end and self.tokens[i].text != ",":
                i = self.match[i] + 1 if self.tokens[i].text in ("(", "[", "{") else i + 1
            if self.tokens[first].text == "." and self.tokens[first + 2].text == "=":
                if self.tokens[first + 3].text != "{":
                    self.unit("value", first + 3, i - 1)
            i += 1

    def statement(self):
        t = self.tokens[self.at]
        if t.kind == "line":
            self.at += 1
        elif t.text == "{":
            end = self.match[self.at]
            self.at += 1
            while self.at < end:
                self.statement()
            self.at = end + 1
        elif t.text in ("if", "while"):
            self.head("condition")
            self.statement()
            if t.text == "if" and self.at < len(self.tokens) and self.text_at() == "else":
                self.at += 1
                self.statement()
        elif t.text == "switch":
            self.head("value")
            self.statement()
        elif t.text == "for":
            self.for_head()
            self.statement()
        elif t.text == "do":
            self.at += 1
            self.statement()
            self.head("condition")
            self.at += 1
        elif t.text in ("case", "default"):
            self.at = self.find(self.at, ":") + 1
        elif t.kind == "word" and self.text_at(self.at + 1) == ":":
            self.at += 2
        elif (t.kind == "word" and self.text_at(self.at + 1) == "("
              and self.text_at(self.match[self.at + 1] + 1) == "{"):
            self.at = self.match[self.at + 1] + 1  # a macro that makes a loop
        else:
            semi = self.find(self.at, ";")
            if t.text == "return":
                self.unit("return", self.at, semi)
            elif self.is_declaration(self.at):
                self.declaration(self.at, semi)
            elif t.text not in ("break", "continue", "goto", ";"):
                self.unit("statement", self.at, semi)
            self.at = semi + 1


def changed_number(text):
    """Another number near this one; None for one that is not an integer."""
    m = re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)", text)
    if not m:
        return None
    value = int(m.group(1), 0) if not re.fullmatch(r"0[0-7]+", m.group(1)) else int(m.group(1), 8)
    return "%d%s" % (0 if value == 1 else value + 1, m.group(2))


def is_single_test(texts):
    """One == or != or a leading !: its own change is the negation of the whole."""
    return "&&" not in texts and "||" not in texts and (
        texts[0] == "!" or texts.count("==") + texts.count("!=") == 1)


def changes_of(tokens, match, unit, first, last):
    """Yields (begin, end, replacement, description) for the unit of tokens first..last."""
    text_of = lambda i: tokens[i].text
    kind = unit.kind
    i = first
    while i <= last:
        t = tokens[i]
        before = tokens[i - 1] if i > first else None
        if t.kind == "word" and i < last and text_of(i + 1) == "(" and (
                t.text == "sizeof" or ALLOCATES.match(t.text)):
            i = match[i + 1] + 1
            continue
        if t.text == "sizeof":
            i += 1
            while i <= last and text_of(i) in ("*",):
                i += 1
            i += 1
            continue
        if t.kind == "sign" and t.text in SWAPS:
            for to in SWAPS[t.text]:
                yield t.begin, t.end, to, "%s -> %s" % (t.text, to)
        elif t.text in ("+", "-") and before and before.text != "return" and (
                before.kind in OPERAND_ENDS or before.text in (")", "]")):
            to = "-" if t.text == "+" else "+"
            yield t.begin, t.end, to, "%s -> %s" % (t.text, to)
        elif t.text == "!" and kind != "step":
            yield t.begin, t.end, "", "! dropped"
        elif t.text in ("true", "false"):
            to = "false" if t.text == "true" else "true"
            yield t.begin, t.end, to, "%s -> %s" % (t.text, to)
        elif t.kind == "number":
            to = changed_number(t.text)
            if to:
                yield t.begin, t.end, to, "%s -> %s" % (t.text, to)
        i += 1
    if kind == "condition" and not is_single_test([t.text for t in tokens[first:last + 1]]):
        begin, end = tokens[first].begin, tokens[last].end
        yield begin, end, None, "negated"
    if kind == "statement":
        yield tokens[first].begin, tokens[last].end, ";", "dropped"


def mutants_of(file, text):
    """All mutants of a file, in the order of the text."""
    parser = Parser(text)
    lines = text.split("\n")
    found, seen = [], {}
    for unit, first, last in sorted(parser.functions(), key=lambda u: u[0].begin):
        source = text[unit.begin:unit.end]
        if unit.kind == "statement" and IGNORED_STATEMENT.match(source):
            continue
        for begin, end, to, what in changes_of(parser.tokens, parser.match, unit, first, last):
            line = parser.line_of(begin)
            key = (file, lines[line - 1].strip(), what)
            seen[key] = seen.get(key, 0) + 1
            if to is None:
                to = "!(%s)" % text[begin:end]
            found.append(Mutant(key + (seen[key],), unit, begin, end, to, line))
    return found


def plain(text):
    """The text on one line, without comments."""
    return re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", " ", text, flags=re.S))


def rewritten(text, numbered):
    """The text with the mutants in it: `numbered` is a list of (number, mutant). Lines keep their
    numbers, as the changed copies of a unit stand on its first line, before the original."""
    units = {}
    for number, m in numbered:
        units.setdefault(m.unit, []).append((number, m))
    for unit in sorted(units, key=lambda u: -u.begin):
        original = text[unit.begin:unit.end]
        out = ""
        for number, m in units[unit]:
            copy = plain(text[unit.begin:m.begin] + m.text + text[m.end:unit.end])
            if unit.kind in ("statement", "return"):
                out += "if (MUTANT(%d)) { %s } else " % (number, copy)
            elif unit.kind == "step":
                out += "MUTANT(%d) ? (void)(%s) : " % (number, copy)
            else:
                out += "MUTANT(%d) ? (%s) : " % (number, copy)
        if unit.kind in ("statement", "return"):
            out = "{ " + out + "{ " + original + " } }"
        elif unit.kind == "step":
            out += "(void)(" + original + ")"
        else:
            out += "(" + original + ")"
        text = text[:unit.begin] + out + text[unit.end:]
    return text
