/// Which fields the events have.
extension TraceEvent.Name {
  /// The keys of this event's fields in the order in which they are written; nil for an event of someone else's.
  ///
  /// Those that are left out where there is nothing to say are among them; `t`, `node` and `event`, which every line
  /// has, are not.
  public var keys: [String]? { Self.keys[text] }

  /// The keys of every name that this package writes.
  private static let keys: [String: [String]] = [
    // Frames and the link.
    "frame.sent": [
      "id", "to", "kind", "channel", "epoch", "seq", "bytes", "digest", "attempt", "transfer", "offset", "wantsReply",
      "t_send", "payload",
    ],
    "frame.duplicated": ["id", "copies"],
    "frame.delivered": ["id", "copy"],
    "frame.dropped": ["id", "copy", "cause", "fault"],
    "frame.refused": ["kind", "channel", "epoch", "seq", "why"],
    "link.down": ["cause"],
    "link.up": ["cause"],
    "reachability": ["reachable", "cause", "told"],
    "session.deactivated": [],
    "session.activated": [],

    // The runner and its faults.
    "fault.begin": ["fault", "kind", "params"],
    "fault.end": ["fault", "kind"],
    "node.started": ["target", "epoch", "cause"],
    "node.restarted": ["target", "cause"],
    "node.killed": ["target", "cause", "point"],
    "node.suspended": ["target", "cause"],
    "node.resumed": ["target", "cause"],
    "node.failed": ["target", "cause"],
    "command.dropped": ["target", "kind", "why"],
    "control": ["by", "command", "effect", "fault", "refused"],
    "stopped": [],
    "expectation": ["index", "expectation", "passed", "lines", "why"],
    "violation": ["invariant", "t0", "detail", "lines"],
    "healed": [],
    "end": ["verdict", "frames", "outstanding", "violations"],

    // Queued transfers.
    "transfer.queued": transfer + ["name"] + details + ["ghost"],
    "transfer.delivered": transfer + ["name"] + details,
    "transfer.finished": place,
    "transfer.failed": place + ["error"],
    "transfer.cancelled": place + ["by", "error"],
    "transfer.progress": ["transfer", "received", "bytes"],
    "transfer.redelivered": transfer + ["name"],
    "transfer.refused": ["channel", "error"],
    "transfer.setAside": transfer + ["name", "error"],

    // Messages and the application context.
    "message.received": ["from", "kind", "appKind", "epoch", "seq", "digest", "workoutId", "sentAt"],
    "message.refused": ["kind", "epoch", "seq", "error"],
    "message.duplicate": ["from", "epoch", "seq"],
    "message.failed": ["epoch", "seq", "error"],
    "payload.foreign": ["channel", "digest"],
    "payload.undecodable": ["from", "channel", "epoch", "seq", "digest", "error"],
    "context.set": ["seq", "digest"],
    "context.received": ["seq", "digest"],
    "context.repeated": ["seq", "digest"],

    // The watch.
    "workout.state": ["workoutId", "from", "to", "cause", "sport"],
    "workout.position": ["workoutId", "latitude", "longitude"],
    "snapshot": metrics,
    "ghost.snapshot": metrics,
    "health.saved": ["workout", "aarcRunId", "distance", "duration", "samples", "splits"],
    "start.accepted": ["runId"],
    "command.refused": ["kind", "why"],
    "voice.recorded": ["note", "seconds", "bytes", "runId", "recordedAt"],
    "voice.received": ["note", "runId", "recordedAt", "bytes", "seconds"],
    "voice.transcribed": ["note", "status", "transcript"],
    "voice.discarded": ["why"],
    "haptic": ["kind", "message"],
    "haptic.void": ["kind", "sentAt"],

    // Starts by the phone.
    "start.asked": ["runId", "channel", "attempt", "sentAt", "error"],
    "start.acked": ["runId", "word"],
    "start.declined": ["runId", "reason"],
    "start.failed": ["runId", "why"],
    "start.cancelled": ["runId"],
    "start.late": ["runId", "word"],
    "tracker.started": ["workoutId", "by"],
    "tracker.ended": ["workoutId", "by", "elapsed", "distance"],

    // What the phone hears and believes.
    "snapshot.fresh": metrics,
    "snapshot.stale": ["epoch", "seq", "why"],
    "liveness.disconnected": ["reason", "lastFresh"],
    "liveness.reconnected": ["reason", "lastFresh"],
    "run.opened": ["workoutId", "sentAt"],
    "run.named": ["workoutId", "sentAt"],
    "run.state": ["workoutId", "from", "to", "cause", "sentAt"],
    "run.history": ["workoutId", "kind", "sentAt", "why"],
    "run.refused": ["workoutId", "why", "sentAt"],
    "run.finished": ["workoutId", "healthKitWorkoutUUID", "sentAt"],

    // The coach.
    "script.loaded": ["source", "script"],
    "script.dispatch": ["message", "trigger", "priority", "multiple", "epoch", "seq", "elapsed", "distance"],
    "script.expired": ["message", "trigger", "priority", "multiple", "epoch", "seq", "elapsed", "distance"],
    "script.skipped": ["message", "trigger", "first", "last", "epoch", "seq", "elapsed", "distance"],
    "script.branch": ["message", "branch", "before"],
    "audio.start": ["utterance", "message", "words", "lasts", "rendered"],
    "audio.end": ["utterance", "message"],
    "audio.interrupted": ["utterance", "message", "cause"],
    "audio.dropped": ["message", "cause"],
    "audio.duck": [],
    "audio.unduck": [],
    "audio.mute": [],
    "audio.unmute": [],
    "audio.interruption": [],
    "audio.interruptionEnd": ["shouldResume"],

    // What the coach asks the edge.
    "ai.requested": ["id", "kind", "digest", "runId", "note", "attempt"],
    "ai.reply": ["id", "kind", "note", "text", "speaks"],
    "ai.cached": ["id", "kind", "note", "text", "speaks"],
    "ai.fallback": ["id", "kind", "note", "text", "speaks"],
    "ai.late": ["id", "kind", "reply", "note", "text"],
    "ai.failed": ["id", "kind", "why", "retryAt"],
    "ai.dropped": ["id", "kind", "why"],
    "memory.updated": ["kind", "key", "value", "confidence", "source"],
    "memory.refused": ["kind", "key", "why"],

    // The health store.
    "health.requested": ["of", "workout", "runId", "attempt"],
    "health.absent": ["of", "workout", "runId", "attempt", "retryAt"],
    "health.linked": ["runId", "workout", "by"],
    "health.truth": [
      "workout", "aarcRunId", "distance", "duration", "avgPace", "route", "heartRates", "splits",
    ],
    "health.kept": ["changes", "bytes", "most"],
    "history.shown": ["runs", "stubs", "rows"],
    "store.wiped": [],

    // The edge.
    "uplink.reachability": ["reachable"],
    "uplink.duplicate": ["id"],
    "uplink.refused": ["id", "path", "bytes", "error"],
    "uplink.undecodable": ["id", "epoch", "seq", "digest", "error"],
    "edge.request": ["id", "path", "digest", "bytes", "failure"],
    "edge.response": ["id", "path", "status", "bytes"],
  ]

  /// What names a transfer and its place in the queue.
  private static let place = ["transfer", "channel", "complication", "seq"]
  private static let transfer = place + ["bytes", "digest"]
  /// What a transfer's lines say of the app's own event or file.
  private static let details = [
    "kind", "workoutId", "startedAt", "healthKitWorkoutUUID", "sentAt", "note", "runId", "n",
  ]
  private static let metrics = [
    "epoch", "seq", "workoutId", "sentAt", "elapsed", "distance", "currentPaceSecPerKm", "avgPaceSecPerKm", "currentHR",
    "energyKcal", "cadence", "lastSplit", "state",
  ]
}
