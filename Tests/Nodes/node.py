#!/usr/bin/env python3
"""A node written from docs/internals/protocol.md alone.

It joins, follows grants, and speaks the least a session must: a hello when the link is up, repeated
every half second until it is confirmed, and a confirmation for every hello of the peer. Each thing it
does leaves a line in the trace. How often it was started is all that it keeps on disk. It knows one crash
point, `foreign.confirmed`: its hello was confirmed.
"""
import json
import os
import socket
import struct

JOIN, WELCOME, GRANT, FRAME, LINK, COMMAND, END, LINE, DONE, FAILED, HANDLED, CONDITION, ARM, STOPPED = range(1, 15)
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
        self.epoch = self.next_epoch()
        self.armed = []
        self.stopped_at = None
        self.peer_epoch = 0
        self.confirmed = False
        self.link = False
        self.attempt = 0
        self.deadline = -1

    def next_epoch(self):
        """Counts the starts: durable before anything of this one leaves the node."""
        path = os.path.join(os.environ["WRISTWIRE_STATE"], "epoch")
        epoch = 1
        if os.path.exists(path):
            with open(path) as file:
                epoch = int(file.read()) + 1
        with open(path + ".new", "w") as file:
            file.write(str(epoch))
        os.replace(path + ".new", path)
        return epoch

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
                if "foreign.confirmed" in self.armed:
                    self.stopped_at = b"foreign.confirmed"
            elif kind == DATA and channel == 0:
                self.line("foreign.message", epoch=epoch, seq=seq, bytes=len(payload))
        elif kind == COMMAND:
            size = struct.unpack_from("<H", body)[0]
            self.line("foreign.command", name=body[2 : 2 + size].decode())
        elif kind == CONDITION:
            self.condition(body)

    def condition(self, body):
        if body[0] == 2:
            offset, drift = struct.unpack("<qd", body[1:])
            self.line("foreign.clock", offset=offset, driftPPM=drift)
        else:
            names = {0: "peer", 1: "peerInstalled", 3: "disk", 4: "app"}
            # What this version does not know of is ignored.
            if body[0] in names:
                self.line("foreign.condition", what=names[body[0]], value=body[1] == 1)

    def arm(self, body):
        self.armed = []
        while body:
            (size,) = struct.unpack_from("<H", body)
            self.armed.append(body[2 : 2 + size].decode())
            body = body[2 + size :]

    def stop(self):
        """Ends the answer at a crash point and waits to be killed."""
        self.record(STOPPED, self.stopped_at)
        self.flush()
        while True:
            self.next()

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
        # A link is not believed up before the node is told so, and nothing else is pending at a start.
        self.now = json.loads(body)["now"]
        while True:
            self.record(DONE, struct.pack("<q", self.deadline))
            self.flush()
            kind, body = self.next()
            while kind == ARM:
                self.arm(body)
                kind, body = self.next()
            if kind == END:
                return
            if kind == FAILED:
                raise SystemExit("given up: " + body.decode())
            self.now, flags, inputs = struct.unpack("<qBH", body)
            for _ in range(inputs):
                self.take(*self.next())
                if self.stopped_at:
                    self.stop()
                self.record(HANDLED)
            if flags & 1 and 0 <= self.deadline <= self.now:
                self.hello()


Node().run()
