#!/usr/bin/env python3
"""A phone in another language, from docs/internals/protocol.md and docs/internals/messages.md alone: it greets the watch, takes snapshots
and queued events, notices silence, and believes the newest message. What it has handled is on disk first."""
import hashlib, json, os, plistlib, socket, struct, uuid

JOIN, GRANT, FRAME, LINK, END, LINE, DONE, HANDLED = 1, 3, 4, 5, 7, 8, 9, 11
DATA, ACK, HELLO, MESSAGE, INFO = 0, 1, 2, 0, 2
HEADER = struct.Struct("<HBBBBHIIQQ16sI")
STATES = {"workoutStarted": "running", "workoutPaused": "paused", "workoutResumed": "running", "workoutEnded": "ended"}


def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF


def digest(payload):
    return hashlib.sha256(payload).hexdigest()[:16]


class Phone:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.environ["WRISTWIRE_SOCKET"])
        self.incoming, self.outgoing = self.socket.makefile("rb"), b""
        self.path = os.path.join(os.environ["WRISTWIRE_STATE"], "state.json")
        self.kept = json.load(open(self.path)) if os.path.exists(self.path) else {"epoch": 0, "handled": 0, "run": None}
        self.peer, self.attempt, self.hello_at, self.waiting, self.fresh, self.silent = 0, 0, -1, {}, None, False
        self.keep(epoch=self.kept["epoch"] + 1)

    def keep(self, **values):
        self.kept.update(values)
        with open(self.path + ".new", "w") as file:
            json.dump(self.kept, file)
        os.replace(self.path + ".new", self.path)

    def record(self, kind, body=b""):
        self.outgoing += struct.pack("<IB", 1 + len(body), kind) + body

    def next(self):
        _, self.outgoing = self.socket.sendall(self.outgoing), b""
        length, kind = struct.unpack("<IB", self.incoming.read(5))
        return kind, self.incoming.read(length - 1)

    def line(self, event, **fields):
        text = json.dumps({"t": self.now, "node": "phone", "event": event, **fields}, separators=(",", ":"))
        self.record(LINE, text.encode())

    def send(self, kind, channel, seq, payload=b"", attempt=1, offset=0, transfer=bytes(16)):
        about = (attempt, self.kept["epoch"], len(payload), seq, offset, transfer, self.peer)
        head = HEADER.pack(0x5757, 1, kind, channel, 0, *about)
        self.record(FRAME, head + struct.pack("<I", crc32c(head + payload)) + payload)

    def hello(self):
        self.attempt += 1
        self.send(HELLO, MESSAGE, 0, struct.pack("<Hq4Q", 1, self.now, 1, 1, 1, 1), self.attempt)
        self.hello_at = self.now + 500_000_000

    def take_frame(self, data):
        _, _, kind, channel, _, attempt, epoch, _, seq, _, transfer, peer = HEADER.unpack_from(data)
        assert struct.unpack_from("<I", data, 52)[0] == crc32c(data[:52] + data[56:]), "a wrong checksum"
        if kind == HELLO and epoch >= self.peer:
            _ = epoch > self.peer > 0 and self.hello()
            self.peer = epoch
            self.send(ACK, MESSAGE, 0, offset=attempt)
        elif kind == ACK and channel == MESSAGE and peer == self.kept["epoch"]:
            self.hello_at = -1
        elif kind == DATA and channel == MESSAGE and epoch == self.peer:
            self.take_message(data[56:], epoch, seq)
        elif kind == DATA and channel == INFO and 0 < epoch <= self.peer:
            self.waiting[seq] = (data[56:], transfer)
            while self.kept["handled"] + 1 in self.waiting:
                self.take_event(self.kept["handled"] + 1)
            if seq <= self.kept["handled"]:  # What waits for an earlier one is not on disk, and comes again.
                self.send(ACK, INFO, seq, offset=attempt, transfer=transfer)

    def take_message(self, payload, epoch, seq):
        body, about = plistlib.loads(payload), {"epoch": epoch, "seq": seq}
        if self.fresh and (epoch, seq) <= (self.fresh["epoch"], self.fresh["seq"]):
            return self.line("message.duplicate", **{"from": "watch"}, **about)
        self.line("message.received", **{"from": "watch", "kind": body["kind"]}, **about, digest=digest(payload))
        if body.pop("kind") != "liveMetrics" or not body.pop("v"):
            return
        self.fresh = {**about, "t": self.now}
        self.line("snapshot.fresh", **about, **body)
        if self.silent:
            self.line("liveness.reconnected", reason="fresh", lastFresh=self.fresh)
        self.silent = False
        self.believe(body, body["state"], "snapshot")

    def take_event(self, seq):
        payload, transfer = self.waiting.pop(seq)
        body = {key: value for key, value in plistlib.loads(payload).items() if key != "v"}
        about = {"channel": "userInfo", "seq": seq, "bytes": len(payload), "digest": digest(payload)}
        self.line("transfer.delivered", transfer=str(uuid.UUID(bytes=transfer)), **about, **body)
        if body["kind"] in STATES:
            self.believe(body, STATES[body["kind"]], "event")
        self.keep(handled=seq)

    def believe(self, body, state, cause):
        sent, name = body["sentAt"], body["workoutId"]
        if self.kept["run"] is None:
            self.line("run.opened", workoutId=name, sentAt=sent)
        before, newest = self.kept["run"] or (None, -1)
        if sent >= newest and before != "ended":
            self.kept["run"] = [state, sent]
            if before != state:
                self.line("run.state", workoutId=name, **{"from": before}, to=state, cause=cause, sentAt=sent)
        if body.get("kind") == "workoutStarted":
            self.line("run.named", workoutId=name, sentAt=sent)
        if "healthKitWorkoutUUID" in body:
            self.line("run.finished", workoutId=name, healthKitWorkoutUUID=body["healthKitWorkoutUUID"], sentAt=sent)

    def silence_at(self):
        is_on = self.fresh and not self.silent and self.kept["run"][0] != "ended"
        return self.fresh["t"] + 10_000_000_000 if is_on else -1

    def grant(self, body):
        self.now, flags, inputs = struct.unpack("<qBH", body)
        for _ in range(inputs):
            kind, body = self.next()
            if kind == LINK:
                self.hello_at = -1
                _ = body[0] and self.hello()
            if kind == FRAME:
                self.take_frame(body)
            self.record(HANDLED)
        if flags & 1 and 0 <= self.hello_at <= self.now:
            self.hello()
        if flags & 1 and 0 <= self.silence_at() <= self.now:
            self.silent = True
            self.line("liveness.disconnected", reason="silence", lastFresh=self.fresh)

    def run(self):
        token = os.environ["WRISTWIRE_TOKEN"].encode()
        self.record(JOIN, struct.pack("<HBBH", 1, 1, 0, len(token)) + token + struct.pack("<H", 8) + b"phone.py")
        self.now, kind = json.loads(self.next()[1])["now"], GRANT
        while kind != END:
            due = [at for at in (self.hello_at, self.silence_at()) if at >= 0]
            self.record(DONE, struct.pack("<q", min(due, default=-1)))
            kind, body = self.next()
            if kind == GRANT:
                self.grant(body)


Phone().run()
