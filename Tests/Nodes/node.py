#!/usr/bin/env python3
"""A node written from docs/protocol.md alone.

It joins, follows grants, and speaks the least a session must: a hello when the link is up, repeated
every half second until it is confirmed, and a confirmation for every hello of the peer. Each thing it
does leaves a line in the trace.
"""
import json
import os
import socket
import struct

JOIN, WELCOME, GRANT, FRAME, LINK, COMMAND, END, LINE, DONE, FAILED, HANDLED = range(1, 12)
DATA, ACK, HELLO, REPLY, CHUNK = range(5)
ROLES = ["watch", "phone", "edge"]
HEADER = struct.Struct("<HBBBBHIIQQ16sI")


def table():
    entries = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
        entries.append(value)
    return entries


TABLE = table()


def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value = (value >> 8) ^ TABLE[(value ^ byte) & 0xFF]
    return value ^ 0xFFFFFFFF


def encode(kind, channel, epoch, peer_epoch, seq, payload=b"", attempt=1, flags=0):
    head = HEADER.pack(0x5757, 1, kind, channel, flags, attempt, epoch, len(payload), seq, 0, bytes(16), peer_epoch)
    return head + struct.pack("<I", crc32c(head + payload)) + payload


def decode(data):
    fields = HEADER.unpack_from(data)
    magic, version, kind, channel, flags, attempt, epoch, length, seq, offset, transfer, peer_epoch = fields
    payload = data[56:]
    assert magic == 0x5757 and version == 1 and length == len(payload), "no frame"
    assert struct.unpack_from("<I", data, 52)[0] == crc32c(data[:52] + payload), "a wrong checksum"
    return kind, channel, epoch, peer_epoch, seq, payload


class Node:
    def __init__(self):
        self.role = os.environ["WRISTWIRE_ROLE"]
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.environ["WRISTWIRE_SOCKET"])
        self.incoming = b""
        self.outgoing = b""
        self.epoch = 1
        self.peer_epoch = 0
        self.confirmed = False
        self.link = False
        self.attempt = 0
        self.deadline = -1

    def record(self, kind, body=b""):
        self.outgoing += struct.pack("<IB", 1 + len(body), kind) + body

    def flush(self):
        self.socket.sendall(self.outgoing)
        self.outgoing = b""

    def bytes(self, count):
        while len(self.incoming) < count:
            piece = self.socket.recv(65536)
            if not piece:
                raise SystemExit(0)  # The conductor has gone.
            self.incoming += piece
        taken, self.incoming = self.incoming[:count], self.incoming[count:]
        return taken

    def next(self):
        length, kind = struct.unpack("<IB", self.bytes(5))
        return kind, self.bytes(length - 1)

    def line(self, event, **fields):
        value = {"t": self.now, "node": self.role, "event": event, **fields}
        self.record(LINE, json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())

    def hello(self):
        self.attempt += 1
        payload = struct.pack("<Hq4Q", 1, 0, 1, 1, 1, 1)
        self.record(FRAME, encode(HELLO, 0, self.epoch, self.peer_epoch, 0, payload, self.attempt))
        self.deadline = self.now + 500_000_000

    def take(self, kind, body):
        if kind == LINK:
            self.link = body[0] == 1
            self.deadline = -1
            if self.link and not self.confirmed:
                self.hello()
        elif kind == FRAME:
            kind, channel, epoch, peer_epoch, seq, payload = decode(body)
            if kind == HELLO and epoch >= self.peer_epoch:
                is_new = epoch > self.peer_epoch
                self.peer_epoch = epoch
                self.record(FRAME, encode(ACK, 0, self.epoch, epoch, 0))
                if is_new and self.confirmed:
                    self.confirmed = False
                    self.hello()
                self.line("foreign.hello", epoch=epoch)
            elif kind == ACK and channel == 0 and peer_epoch == self.epoch:
                self.confirmed = True
                self.deadline = -1
                self.line("foreign.confirmed", epoch=epoch)
            elif kind == DATA and channel == 0:
                self.line("foreign.message", epoch=epoch, seq=seq, bytes=len(payload))
        elif kind == COMMAND:
            size = struct.unpack_from("<H", body)[0]
            self.line("foreign.command", name=body[2 : 2 + size].decode())

    def run(self):
        token = os.environ["WRISTWIRE_TOKEN"].encode()
        name = b"node.py 1"
        self.record(
            JOIN,
            struct.pack("<HBBH", 1, ROLES.index(self.role), 0, len(token)) + token
            + struct.pack("<H", len(name)) + name)
        self.flush()
        kind, body = self.next()
        if kind == FAILED:
            raise SystemExit("refused: " + body.decode())
        json.loads(body)
        while True:
            self.record(DONE, struct.pack("<q", self.deadline))
            self.flush()
            kind, body = self.next()
            if kind == END:
                return
            if kind == FAILED:
                raise SystemExit("given up: " + body.decode())
            self.now, flags, inputs = struct.unpack("<qBH", body)
            for _ in range(inputs):
                self.take(*self.next())
                self.record(HANDLED)
            if flags & 1 and 0 <= self.deadline <= self.now:
                self.hello()


Node().run()
