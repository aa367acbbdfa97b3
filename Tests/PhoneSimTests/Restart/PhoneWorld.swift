import CoachProtocol
import Link
import LinkTestSupport

@testable import PhoneSim

/// A phone with its store and files, and a watch's session beside it, in virtual time and without any delay.
///
/// Whatever either side sends is there at once, unless a test takes it away, so that a restart of the phone costs no
/// time either: two worlds that differ in restarts alone can be compared line by line.
struct PhoneWorld<Store: NodeStore> where Store.Record == PhoneRecord, Store.Change == PhoneChange {
  /// What a world is to do with a message frame of the watch.
  enum Fate {
    case arrives, lost, twice
    /// It comes behind the next one.
    case late
  }

  let setup: PhoneNode.Setup
  private(set) var now = VirtualTime.start
  private(set) var node: PhoneNode
  private(set) var store: Store
  private(set) var files = WholeFiles()
  /// Lines of the phone's trace, and one for each further start.
  private(set) var lines: [TraceEvent] = []
  /// Messages that the watch got, in order.
  private(set) var toWatch: [AppMessage] = []
  /// How often the phone was started.
  private(set) var starts = 1
  /// The point at which the phone is to be killed next; nil for none.
  var armed: CrashPoint?
  /// Whether the phone is killed behind an input that it took; nil means its timers.
  var kills: (NodeInput?, VirtualTime) -> Bool = { _, _ in false }
  /// What is checked behind every input.
  var afterInput: (PhoneWorld) -> Void = { _ in }
  /// Who answers on the uplink; nil for no server.
  var edge: FakeEdge?

  private var watch: Session
  private var watchStore = MemorySessionStore()
  private var watchFiles = WholeFiles()
  private var isLinkUp = false
  private var isUplinkUp = false
  private var toPhoneByUplink: [Frame] = []
  private var isSuspended = false
  private var isDiskFull = false
  private var clock: (offset: Int64, ppm: Double, since: VirtualTime)?
  private var fate = Fate.arrives
  private var late: [Frame] = []
  private var underWay: [(frame: Frame, toPhone: Bool)] = []

  init(_ setup: PhoneNode.Setup, store: Store) throws {
    self.setup = setup
    self.store = store
    watch = Self.session(watchStore.beginEpoch())
    let record = try self.store.begin()
    node = PhoneNode(setup, record: record.session, app: record.app, startedAt: .start)
  }

  private static func session(_ record: SessionRecord) -> Session {
    Session(Session.Configuration(role: .watch, random: RandomStream(seed: 9, name: "watch.session")), record: record)
  }

  // MARK: The world

  /// Lets time pass, and timers ring.
  mutating func advance(_ span: VirtualTime.Span) throws {
    let end = now + span
    while true {
      let next = min(
        min(node.nextDeadline ?? .distantFuture, watch.nextDeadline ?? .distantFuture),
        edge?.nextDeadline ?? .distantFuture)
      guard next <= end else { break }
      now = max(now, next)
      if let at = watch.nextDeadline, at <= now {
        let now = now
        try actOnWatch { session, turn in
          session.fire(clock: now.nanoseconds, in: &turn)
        }
      }
      if let at = edge?.nextDeadline, at <= now, let frames = edge?.fire(at: now), isUplinkUp {
        toPhoneByUplink += frames
      }
      try settle()
      if let at = node.nextDeadline, at <= now { try give(nil) }
      try settle()
    }
    now = end
  }

  /// Both sides learn that the radio came or went.
  mutating func link(isUp: Bool) throws {
    isLinkUp = isUp
    let now = now
    try actOnWatch { session, turn in
      session.receiveLink(isUp: isUp, clock: now.nanoseconds, in: &turn)
    }
    try give(.link(isUp: isUp))
    try settle()
  }

  /// The phone learns that there is a way to the edge, or none.
  mutating func uplink(isUp: Bool) throws {
    isUplinkUp = isUp
    try give(.uplink(isUp: isUp))
    try settle()
  }

  mutating func command(_ name: String, _ arguments: String = "{}") throws {
    try give(.command(NodeCommand(name, arguments: arguments)))
    try settle()
  }

  mutating func condition(_ condition: NodeCondition) throws {
    switch condition {
    case .suspended: isSuspended = true
    case .resumed: isSuspended = false
    case .disk(let isFull): isDiskFull = isFull
    case .clock(let offset, let ppm): clock = (offset, ppm, now)
    case .peer, .peerInstalled, .peerLocked, .quirk, .runEnds, .messagesLaunchPeer, .launchedByMessage, .sendsFail,
      .unknown:
      break
    }
    try give(.condition(condition))
    try settle()
  }

  /// Kills the phone's process, and restarts it at once.
  mutating func restart() throws {
    let record = try store.begin()
    node = PhoneNode(setup, record: record.session, app: record.app, startedAt: now)
    starts += 1
    lines.append(
      TraceEvent("node.started", at: now, on: .runner, [.init("target", .string("phone"))]))
    isSuspended = false
    let kills = kills
    self.kills = { _, _ in false }
    if let clock {
      let gained = (Double((now - clock.since).nanoseconds) * clock.ppm / 1e6).rounded()
      try give(.condition(.clock(offset: clock.offset + Int64(gained), driftPPM: clock.ppm)))
    }
    if isDiskFull { try give(.condition(.disk(isFull: true))) }
    try give(.link(isUp: isLinkUp))
    if edge != nil { try give(.uplink(isUp: isUplinkUp)) }
    try settle()
    self.kills = kills
  }

  /// What the app would begin with now.
  mutating func begin() throws -> PhoneRecord { try store.begin().app }

  // MARK: The watch

  mutating func send(_ message: AppMessage, _ fate: Fate = .arrives) throws {
    self.fate = fate
    try actOnWatch { session, turn in
      session.sendMessage(message.encoded, kind: message.kind.rawValue, in: &turn)
    }
    self.fate = .arrives
    try settle()
  }

  mutating func queue(_ message: AppMessage) throws { try queue(message.encoded) }

  mutating func queue(_ payload: [UInt8], isComplication: Bool = false) throws {
    try actOnWatch { session, turn in
      if isComplication {
        _ = try? session.transferComplicationUserInfo(payload, clock: 0, details: .init(), in: &turn)
      } else {
        _ = try? session.transferUserInfo(payload, details: .init(), in: &turn)
      }
    }
    try settle()
  }

  mutating func sendFile(_ metadata: [UInt8], bytes: UInt64, name: String = "note.m4a") throws {
    let content = FileContent.generated(key: 5, byteCount: bytes)
    let offer = FileOffer(name: name, byteCount: bytes, digest: content.digest, metadata: metadata)
    try actOnWatch { session, turn in
      _ = try? session.transferFile(offer, content: content, in: &turn)
    }
    try settle()
  }

  /// Kills the watch's process, and restarts it at once.
  mutating func restartWatch() throws {
    watch = Self.session(watchStore.beginEpoch())
    late = []
    let isUp = isLinkUp
    let now = now
    try actOnWatch { session, turn in
      session.receiveLink(isUp: isUp, clock: now.nanoseconds, in: &turn)
    }
    try settle()
  }

  private mutating func actOnWatch(_ body: (inout Session, inout Turn) throws -> Void) throws {
    var turn = Turn(at: now, isRecording: false)
    try body(&watch, &turn)
    for delivery in turn.deliveries {
      switch delivery {
      case .message(let payload, _, _, _, isStale: false):
        if case .success(let message) = AppMessage.reading(payload) { toWatch.append(message) }
      case .userInfo(let entry):
        watch.markHandled(entry, in: &turn)
        watch.commitHandled(entry, in: &turn)
      default: break
      }
    }
    var changes: [SessionChange] = []
    var place = 0
    while place < turn.items.count {
      switch turn.items[place] {
      case .frame(let frame): leave(frame)
      case .chunk(var frame, let count):
        frame.payload = try watchFiles.read(frame.transfer, offset: frame.offset, count: count)
        leave(frame)
      case .change(let change): changes.append(change)
      case .commit:
        watchStore.commit(changes)
        changes = []
      case .page(let order):
        watch.receive(page: watchStore.page(order), in: &turn)
      case .file(let order): try watchFiles.carryOut(order)
      case .event, .frequent, .appChange, .crashPoint, .handled: break
      }
      place += 1
    }
  }

  private mutating func leave(_ frame: Frame) {
    let isMessage = frame.kind == .data && frame.channel == .message
    guard isLinkUp, !(isMessage && isSuspended) else { return }
    switch isMessage ? fate : .arrives {
    case .lost: return
    case .late: late.append(frame)
    case .arrives, .twice:
      underWay.append((frame, true))
      if isMessage, fate == .twice { underWay.append((frame, true)) }
      if isMessage {
        underWay += late.map { ($0, true) }
        late = []
      }
    }
  }

  /// Delivers whatever is under way, and what that leads to.
  private mutating func settle() throws {
    while !underWay.isEmpty || !toPhoneByUplink.isEmpty {
      if !toPhoneByUplink.isEmpty {
        try give(.frame(toPhoneByUplink.removeFirst()))
        continue
      }
      let (frame, toPhone) = underWay.removeFirst()
      if toPhone {
        try give(.frame(frame))
      } else {
        let now = now
        try actOnWatch { session, turn in
          session.receive(frame, clock: now.nanoseconds, in: &turn)
        }
      }
    }
  }

  // MARK: The phone

  /// Has the phone take an input, carries out its orders as a host does, and kills it where it is to be killed.
  private mutating func give(_ input: NodeInput?) throws {
    var turn = Turn(at: now, isRecording: true)
    node.receive(input, in: &turn)
    let hasCrashed = try carryOut(&turn)
    if hasCrashed {
      try restart()
    } else {
      afterInput(self)
      if kills(input, now) { try restart() }
    }
  }

  /// True where the phone stopped at the armed crash point.
  private mutating func carryOut(_ turn: inout Turn) throws -> Bool {
    var told = node.takeChanges()
    var base = 0
    var bases: [(place: Int, base: Int)] = []
    var changes: [SessionChange] = []
    var appChanges: [PhoneChange] = []
    var place = 0
    while place < turn.items.count {
      if let next = bases.first, next.place == place { base = bases.removeFirst().base }
      switch turn.items[place] {
      case .frame(let frame) where frame.channel == .http:
        if isUplinkUp, let answers = edge?.receive(frame, at: now) { toPhoneByUplink += answers }
      case .frame(let frame): if isLinkUp { underWay.append((frame, false)) }
      case .event(let event): lines.append(event)
      case .change(let change): changes.append(change)
      case .appChange(let number): appChanges.append(told[base + number])
      case .commit:
        try store.commit(changes, appChanges)
        changes = []
        appChanges = []
      case .crashPoint(let point):
        guard point == armed else { break }
        armed = nil
        return true
      case .page(let order):
        bases.append((turn.items.count, told.count))
        node.receive(.page(try store.page(order)), in: &turn)
        told += node.takeChanges()
      case .file(let order): try files.carryOut(order)
      case .chunk(var frame, let count):
        frame.payload = try files.read(frame.transfer, offset: frame.offset, count: count)
        if isLinkUp { underWay.append((frame, false)) }
      case .frequent, .handled: break
      }
      place += 1
    }
    precondition(changes.isEmpty && appChanges.isEmpty, "changes without a commit")
    return false
  }

  /// Lines of some names, as text without their fields' noise: what two worlds are compared by.
  func story(_ isWanted: (String) -> Bool) -> [String] {
    lines.filter { isWanted($0.name.text) }.map { line in
      "\(line.time.nanoseconds) \(line.name.text) "
        + line.fields.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }
  }
}
