import CoachProtocol
import Link
import WatchSim

/// A watch and the session of a phone, 5 ms apart.
struct WatchWithPhone {
  static let latency = VirtualTime.Span.milliseconds(5)

  var watch: WatchRig
  private(set) var phone: Session
  /// By how many nanoseconds the phone's clock is wrong.
  var phoneOffset: Int64
  private var phoneStore = MemorySessionStore()
  private var contents: [Identifier: FileContent] = [:]
  private var onTheWay: [(at: VirtualTime, isToWatch: Bool, frame: Frame)] = []
  private(set) var now = VirtualTime.start
  /// Whether frames pass; both sides learn of it at once.
  private(set) var isUp = true

  /// What the phone was handed.
  var events: [AppMessage] = []
  var messages: [AppMessage] = []
  var files: [FileOffer] = []
  var replies: [[UInt8]] = []

  init(_ rig: WatchRig, phoneOffset: Int64 = 0) {
    watch = rig
    self.phoneOffset = phoneOffset
    phone = Self.session(&phoneStore)
    link(isUp: true)
  }

  private static func session(_ store: inout MemorySessionStore) -> Session {
    Session(
      Session.Configuration(role: .phone, random: RandomStream(seed: 1, name: "phone.session")),
      record: store.beginEpoch())
  }

  // MARK: What happens

  mutating func link(isUp: Bool) {
    self.isUp = isUp
    if !isUp { onTheWay = [] }
    giveWatch(.link(isUp: isUp))
    let clock = phoneClock
    actPhone { session, turn in
      session.receiveLink(isUp: isUp, clock: clock, in: &turn)
    }
  }

  mutating func giveWatch(_ input: NodeInput?) {
    watch.give(input, at: now)
    takeFrames()
  }

  mutating func restartWatch(_ conditions: [NodeCondition] = []) {
    watch.kill()
    watch.start(at: now, conditions)
    giveWatch(.link(isUp: isUp))
  }

  mutating func restartPhone() {
    phone = Self.session(&phoneStore)
    link(isUp: isUp)
  }

  mutating func phoneCondition(_ condition: NodeCondition) {
    let clock = phoneClock
    actPhone { session, turn in
      session.receive(condition: condition, clock: clock, in: &turn)
    }
  }

  /// Has the phone's app say something.
  mutating func phone(_ say: (inout Session, inout Turn) throws -> Void) rethrows {
    try actPhone(say)
  }

  mutating func send(_ message: AppMessage) {
    phone { session, turn in
      session.sendMessage(message.encoded, kind: message.kind.rawValue, in: &turn)
    }
  }

  /// Lets everything up to and with `time` happen: arrivals before deadlines.
  mutating func drive(through time: VirtualTime) {
    while true {
      var next = VirtualTime.distantFuture
      for item in onTheWay { next = min(next, item.at) }
      if let at = watch.node?.nextDeadline { next = min(next, max(at, now)) }
      if let at = phone.nextDeadline { next = min(next, max(at, now)) }
      guard next <= time else { break }
      now = next
      deliver()
      if let at = watch.node?.nextDeadline, at <= now { giveWatch(nil) }
      if let at = phone.nextDeadline, at <= now {
        let clock = phoneClock
        actPhone { session, turn in
          session.fire(clock: clock, in: &turn)
        }
      }
    }
    now = time
  }

  /// What the phone's clock reads while it is right.
  static func phoneClock(_ now: VirtualTime) -> Int64 { WatchRig.startedAt + now.nanoseconds }
  /// What it reads now.
  var phoneClock: Int64 { Self.phoneClock(now) + phoneOffset }

  // MARK: Frames

  private mutating func deliver() {
    while let index = onTheWay.firstIndex(where: { $0.at <= now }) {
      let item = onTheWay.remove(at: index)
      if item.isToWatch {
        giveWatch(.frame(item.frame))
      } else {
        let clock = phoneClock
        actPhone { session, turn in
          session.receive(item.frame, clock: clock, in: &turn)
        }
      }
    }
  }

  private mutating func takeFrames() {
    for order in watch.files {
      switch order {
      case .create(let transfer, let content): contents[transfer] = content
      case .discardOutgoing(let transfer): contents[transfer] = nil
      default: continue
      }
    }
    watch.files = []
    for sent in watch.sent {
      var frame = sent.frame
      if let count = sent.count {
        frame.payload = contents[frame.transfer]?.bytes(offset: frame.offset, count: count) ?? []
      }
      if isUp { onTheWay.append((now + Self.latency, false, frame)) }
    }
    watch.sent = []
  }

  private mutating func actPhone(_ body: (inout Session, inout Turn) throws -> Void) rethrows {
    var turn = Turn(at: now, isRecording: false)
    try body(&phone, &turn)
    takeDeliveries(&turn)
    var changes: [SessionChange] = []
    var index = 0
    while index < turn.items.count {
      switch turn.items[index] {
      case .frame(let frame): if isUp { onTheWay.append((now + Self.latency, true, frame)) }
      case .change(let change): changes.append(change)
      case .commit:
        phoneStore.commit(changes)
        changes = []
      case .page(let order):
        phone.receive(page: phoneStore.page(order), in: &turn)
        takeDeliveries(&turn)
      case .chunk(let frame, let count):
        var frame = frame
        frame.payload = [UInt8](repeating: 0, count: count)
        if isUp { onTheWay.append((now + Self.latency, true, frame)) }
      case .appChange, .crashPoint, .event, .frequent, .file, .handled: break
      }
      index += 1
    }
  }

  private mutating func takeDeliveries(_ turn: inout Turn) {
    let deliveries = turn.deliveries
    turn.deliveries = []
    for delivery in deliveries { take(delivery, &turn) }
  }

  private mutating func take(_ delivery: SessionDelivery, _ turn: inout Turn) {
    switch delivery {
    case .userInfo(let entry):
      if case .success(let message) = AppMessage.reading(entry.payload) { events.append(message) }
      phone.markHandled(entry, in: &turn)
      phone.commitHandled(entry, in: &turn)
    case .file(let entry, let offer):
      files.append(offer)
      phone.markHandled(entry, in: &turn)
      phone.commitHandled(entry, in: &turn)
    case .message(let payload, _, _, _, let isStale):
      if !isStale, case .success(let message) = AppMessage.reading(payload) { messages.append(message) }
    case .reply(_, let payload, _): replies.append(payload)
    default: break
    }
  }
}
