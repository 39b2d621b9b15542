# Random programs, as IR and as what each thread does.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs: their IR, and the calls that each thread makes when they run.

A program is a list of statements over the variables x0 to x3::

    ("set", variable, expression)         ("call", number, width)
    ("if", condition, body, body)         ("while", condition, body, repeated)
    ("break",)  ("continue",)  ("return",)

A `repeated` while has its test before the loop and at its end, as CPython gives
it, and `continue` goes to the first one.
"""

from __future__ import annotations

import random

import numpy as np

__all__ = ["BLOCK", "WIDTHS", "TooLong", "calls_of", "data", "random_program", "to_ir"]

BLOCK = 64
WIDTHS = (64, 32, 16, 8, 4)
_VARIABLES = 4
_BINARY = ("addi", "subi", "muli", "andi", "ori", "xori", "minsi", "maxsi")
_BY_CONSTANT = ("floordivsi", "shrsi", "shrui", "remui", "divui", "andi", "muli", "remsi", "divsi")
_COMPARE = ("slt", "sle", "eq", "ne", "ult", "sge")
_MASK = (1 << 64) - 1


class TooLong(Exception):
    """A thread does not come to an end."""


def random_program(seed: int) -> list:
    """Return a program that is the same for the same seed."""
    return _Maker(random.Random(seed)).body(depth=3, in_loop=False, size=5)


class _Maker:
    def __init__(self, rng):
        self.rng = rng
        self.calls = 0

    def body(self, depth, in_loop, size):
        return [self.statement(depth, in_loop) for _ in range(self.rng.randint(1, size))]

    def statement(self, depth, in_loop):
        kind = self.rng.choices(
            ("set", "call", "if", "while", "jump", "return"),
            (4, 3, 3 * bool(depth), 2 * bool(depth), 2 * in_loop, 0.3),
        )[0]
        if kind == "set":
            return ("set", self.rng.randrange(_VARIABLES), self.expression(2))
        if kind == "call":
            self.calls += 1
            return ("call", self.calls - 1, self.rng.choice(WIDTHS))
        if kind == "if":
            return (
                "if",
                self.condition(),
                self.body(depth - 1, in_loop, 3),
                self.body(depth - 1, in_loop, 3) if self.rng.random() < 0.4 else [],
            )
        if kind == "while":
            counter = self.rng.randrange(_VARIABLES)
            step = (
                "set",
                counter,
                ("addi", ("var", counter), ("const", self.rng.choice((1, 1, 8)))),
            )
            body = self.body(depth - 1, True, 4)
            body.insert(self.rng.randrange(len(body) + 1) if self.rng.random() < 0.3 else 0, step)
            test = ("slt", ("var", counter), self.expression(1))
            return ("while", test, body, self.rng.random() < 0.6)
        return (self.rng.choice(("break", "continue")),) if kind == "jump" else ("return",)

    def condition(self):
        return (self.rng.choice(_COMPARE), self.expression(2), self.expression(1))

    def expression(self, depth):
        if not depth or self.rng.random() < 0.3:
            return self.rng.choice(
                [
                    ("tid",),
                    ("bid",),
                    ("n",),
                    ("grid",),
                    ("const", self.rng.choice((0, 1, 7, 8, 16, 32, 40))),
                ]
                + [("var", self.rng.randrange(_VARIABLES))] * 3
            )
        if self.rng.random() < 0.1:
            return ("load", self.expression(depth - 1))
        if self.rng.random() < 0.5:
            constant = ("const", self.rng.choice((2, 4, 8, 16, 32, 64, 3, 24)))
            return (self.rng.choice(_BY_CONSTANT), self.expression(depth - 1), constant)
        return (self.rng.choice(_BINARY), self.expression(depth - 1), self.expression(depth - 1))


# --- what threads do ---------------------------------------------------------


def _signed(value):
    value &= _MASK
    return value - (1 << 64) if value >> 63 else value


def _data(address):
    return (address * 2654435761 >> 7) % 50


def data() -> np.ndarray:
    """Return the array that programs load from."""
    return np.array([_data(address) for address in range(1024)], np.int64)


def _truncated(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_MEANING = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "minsi": min,
    "maxsi": max,
    "floordivsi": lambda a, b: a // b,
    "shrsi": lambda a, b: a >> min(b, 63),
    "shrui": lambda a, b: (a & _MASK) >> min(b, 63),
    "remui": lambda a, b: (a & _MASK) % b,
    "divui": lambda a, b: (a & _MASK) // b,
    "remsi": lambda a, b: a - _truncated(a, b) * b,
    "divsi": _truncated,
    "slt": lambda a, b: a < b,
    "sle": lambda a, b: a <= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "sge": lambda a, b: a >= b,
    "ult": lambda a, b: (a & _MASK) < (b & _MASK),
}


class _Jump(Exception):
    pass


class _Thread:
    def __init__(self, tid, bid, n):
        self.facts = {"tid": tid, "bid": bid, "n": n, "grid": bid * BLOCK + tid}
        self.variables = [0] * _VARIABLES
        self.calls = []
        self.left = 3000

    def value(self, e):
        match e:
            case ("const", value):
                return value
            case ("var", index):
                return self.variables[index]
            case ("load", address):
                return _data(self.value(address) & 1023)
            case (kind,):
                return self.facts[kind]
            case ("shrsi" | "shrui" as kind, a, ("const", by)):
                return _signed(_MEANING[kind](self.value(a), by & 31))
            case (kind, a, b):
                return _signed(_MEANING[kind](self.value(a), self.value(b)))

    def run(self, body):
        for s in body:
            self.left -= 1
            if self.left < 0:
                raise TooLong
            match s:
                case ("set", index, e):
                    self.variables[index] = self.value(e)
                case ("call", number, _):
                    self.calls.append(number)
                case ("if", condition, then, other):
                    self.run(then if self.value(condition) else other)
                case ("while", condition, inner, _):
                    self.loop(condition, inner)
                case (jump,):
                    raise _Jump(jump)

    def loop(self, condition, body):
        while self.value(condition):
            try:
                self.run(body)
            except _Jump as jump:
                if jump.args == ("return",):
                    raise
                if jump.args == ("break",):
                    return


def calls_of(program, tid, bid, n) -> list[int]:
    """Return the numbers of the calls that a thread makes, in order."""
    thread = _Thread(tid, bid, n)
    try:
        thread.run(program)
    except _Jump:
        pass
    return thread.calls


# --- IR ----------------------------------------------------------------------


def to_ir(program) -> str:
    """Return the program as a module; call number c is at line 1000 + c."""
    return _Printer().module(program)


class _Printer:
    def __init__(self):
        self.lines, self.names, self.loops = [], 0, []

    def name(self, prefix="%v"):
        self.names += 1
        return f"{prefix}{self.names}"

    def emit(self, kind, operands, ty="i64"):
        name = self.name()
        self.lines.append(f"{name} = {kind} {operands} : {ty}")
        return name

    def value(self, e):
        match e:
            case ("const", value):
                return self.emit("arith.constant", value)
            case ("var", index):
                return self.emit("memref.load", f"%x{index}[]", "memref<i64>")
            case ("load", address):
                mask = self.emit("arith.constant", 1023)
                place = self.emit("arith.andi", f"{self.value(address)}, {mask}")
                index = self.emit("arith.index_cast", place, "i64 to index")
                return self.emit("memref.load", f"%src[{index}]", "memref<?xi64>")
            case (kind,):
                return f"%{kind}"
            case ("shrsi" | "shrui" as kind, a, ("const", by)):
                return self.emit(
                    f"arith.{kind}", f"{self.value(a)}, {self.value(('const', by & 31))}"
                )
            case (kind, a, b):
                test = f"cmpi {kind}," if kind in _COMPARE else kind
                return self.emit(f"arith.{test}", f"{self.value(a)}, {self.value(b)}")

    def go(self, label):
        self.lines.append(f"cf.br {label}")

    def put(self, label):
        self.lines.append(f"{label}:")

    def decide(self, condition, yes, no):
        self.lines.append(f"cf.cond_br {self.value(condition)}, {yes}, {no}")

    def body(self, statements):
        for s in statements:
            match s:
                case ("set", index, e):
                    self.lines.append(f"memref.store {self.value(e)}, %x{index}[] : memref<i64>")
                case ("call", number, width):
                    group = (
                        "block" if width == BLOCK else "warp" if width == 32 else f"warp, {width}"
                    )
                    name = self.name("%g")
                    self.lines.append(f"{name} = coop.group : !coop.group<{group}>")
                    place = f'loc("p":{1000 + number}:1)'
                    self.lines.append(f"coop.barrier {name} : !coop.group<{group}> {place}")
                case ("if", condition, then, other):
                    self.branch(condition, then, other)
                case ("while", condition, inner, repeated):
                    self.loop(condition, inner, repeated)
                case (jump,):
                    self.jump(jump)

    def branch(self, condition, then, other):
        yes, no, end = (self.name("^b") for _ in range(3))
        self.decide(condition, yes, no)
        for label, statements in ((yes, then), (no, other)):
            self.put(label)
            self.body(statements)
            self.go(end)
        self.put(end)

    def loop(self, condition, inner, repeated):
        test, body, end = (self.name("^b") for _ in range(3))
        self.go(test)
        self.put(test)
        self.decide(condition, body, end)
        self.put(body)
        self.loops.append((test, end))
        self.body(inner)
        self.loops.pop()
        if repeated:
            self.decide(condition, body, end)
        else:
            self.go(test)
        self.put(end)

    def jump(self, kind):
        test, end = self.loops[-1] if self.loops else (None, None)
        self.go({"break": end, "continue": test, "return": "^exit"}[kind])
        self.put(self.name("^b"))  # what follows is never reached

    def module(self, program):
        self.body(program)
        head = f"""gpu.module @m {{
gpu.func @k(%src: memref<?xi64>, %n: i64) kernel attributes {{gpu.known_block_size = array<i32: {BLOCK}, 1, 1>}} {{
%zero = arith.constant 0 : i64
%size = arith.constant {BLOCK} : i64
%t = gpu.thread_id x
%tid = arith.index_cast %t : index to i64
%b = gpu.block_id x
%bid = arith.index_cast %b : index to i64
%base = arith.muli %bid, %size : i64
%grid = arith.addi %base, %tid : i64
"""
        for index in range(_VARIABLES):
            head += f"%x{index} = memref.alloca() : memref<i64>\n"
            head += f"memref.store %zero, %x{index}[] : memref<i64>\n"
        return head + "\n".join(self.lines) + "\ncf.br ^exit\n^exit:\ngpu.return\n}\n}\n"
