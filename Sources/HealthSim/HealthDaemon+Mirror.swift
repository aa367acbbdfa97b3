import Link

/// Mirroring of a workout session, and starts of the watch's app.
extension HealthDaemon {
  /// The limit of data in any ten seconds, in bytes; at the limit a send is refused (8.12).
  static let windowBytes = 102_400
  /// How long an app that was started for a mirrored session has to set its handler.
  static let handlerPatience = VirtualTime.Span.seconds(10)
  /// How old a start may be that still starts an app.
  static let launchPatience = VirtualTime.Span.seconds(60)

  mutating func carryOutMirror(_ request: DeviceMessage) {
    switch request.name {
    case "mirror.start": startMirroring(request)
    case "mirror.stop": stopMirroring(request)
    case "mirror.send": send(request)
    case "mirror.handler":
      mirror.hasHandler = true
      offer()
    case "mirror.verb": forward(request)
    case "mirror.launch": launchWatchApp(request)
    case "mirror.launchSent": answer(request)
    default: ignore(request, "no call of that name")
    }
  }

  // MARK: The watch

  private mutating func startMirroring(_ request: DeviceMessage) {
    let id = UInt64(bitPattern: request.fields.integer("session"))
    guard let session = sessions[id], session.state != .ended else {
      return refuse(request, code: HealthCode.invalidArgument, "the session has ended")
    }
    mirror.generation += 1
    mirror.session = id
    let generation = mirror.generation
    record(MirrorChanged.self) {
      $0.mirror = generation
      $0.to = .asked
    }
    open()
    // A success proves nothing: the system queues and tries again.
    answer(request)
  }

  /// Tells the phone what is mirrored.
  private mutating func open() {
    guard let id = mirror.session, let session = sessions[id], !has(.mirrorSilent) else { return }
    var message = DeviceMessage("open", ["mirror": .integer(mirror.generation)])
    message.fields.append(DeviceField("snapshot", .record(session.snapshot)))
    pipes[0].send(message, at: now)
  }

  private mutating func stopMirroring(_ request: DeviceMessage) {
    guard mirror.session != nil else { return refuse(request, code: HealthCode.invalidArgument, "nothing is mirrored") }
    pipes[0].send(DeviceMessage("close", ["mirror": .integer(mirror.generation)]), at: now)
    mirror.session = nil
    answer(request)
  }

  mutating func mirrorChange(
    of id: UInt64, from: WorkoutSessionState.State, to state: WorkoutSessionState.State, date: Int64
  ) {
    guard mirror.session == id else { return }
    if !has(.mirrorSilent) {
      pipes[0].send(
        DeviceMessage(
          "changed",
          [
            "mirror": .integer(mirror.generation), "from": .integer(from.rawValue), "to": .integer(state.rawValue),
            "date": .integer(date),
          ]), at: now)
    }
    if state == .ended { mirror.session = nil }
  }

  mutating func mirrorEvent(_ event: WorkoutBuilderState.Event, of id: UInt64) {
    guard mirror.session == id, !has(.mirrorSilent) else { return }
    pipes[0].send(
      DeviceMessage("event", ["mirror": .integer(mirror.generation), "event": event.encoded]), at: now)
  }

  /// Hands the app the configuration for which it was started.
  mutating func handOverLaunch() {
    guard let launch = mirror.launch else { return }
    mirror.launch = nil
    record(HealthLaunched.self) { $0.why = .workout }
    tell(
      DeviceMessage(
        "launch.workout", ["activity": .integer(launch.activity), "location": .integer(launch.location)]))
  }

  // MARK: Sending

  private mutating func send(_ request: DeviceMessage) {
    let data = request.fields.bytes("data")
    let (code, why) = obstacle(to: data, of: request)
    let number = role == .watch ? mirror.generation : mirror.proxy?.number ?? 0
    record(MirrorDataSent.self) {
      $0.mirror = code == HealthCode.invalidArgument ? 0 : number
      $0.bytes = Int64(data.count)
      $0.code = code == 0 ? nil : code
    }
    guard code == 0 else { return refuse(request, code: code, why) }
    mirror.sent.append((now, data.count))
    if !has(.mirrorSilent) {
      let generation = role == .watch ? mirror.generation : mirror.proxy?.generation ?? 0
      pipes[0].send(DeviceMessage("data", ["mirror": .integer(generation), "data": .bytes(data)]), at: now)
    }
    answer(request)
  }

  private mutating func obstacle(to data: [UInt8], of request: DeviceMessage) -> (code: Int64, why: String) {
    let id = UInt64(bitPattern: request.fields.integer("session"))
    let isReady: Bool
    if role == .watch {
      let state = sessions[id]?.state
      isReady = mirror.session == id && state != .notStarted && state != .ended
    } else {
      isReady = mirror.proxy.map { $0.isOffered && $0.number == request.fields.integer("mirror") } ?? false
    }
    guard isReady else { return (HealthCode.invalidArgument, "Remote session delegate is not set up.") }
    mirror.sent.removeAll { $0.at + .seconds(10) <= now }
    guard mirror.sent.reduce(data.count, { $0 + $1.bytes }) < Self.windowBytes else {
      return (HealthCode.sizeExceeded, "The size of the data exceeds the maximum")
    }
    if !isLinkUp || (has(.mirrorSendFails) && draw(below: 4) == 0) {
      return (HealthCode.unreachable, "Remote device is unreachable")
    }
    return (0, "")
  }

  /// The mirrored session forwards what the phone's app asks of it; lost without an error while the link is down.
  private mutating func forward(_ request: DeviceMessage) {
    guard let proxy = mirror.proxy, proxy.isOffered, proxy.number == request.fields.integer("mirror") else {
      return ignore(request, "the mirrored session is gone")
    }
    guard isLinkUp else { return ignore(request, "the watch is out of reach") }
    pipes[0].send(
      DeviceMessage(
        "verb",
        [
          "mirror": .integer(proxy.generation), "verb": .text(request.fields.text("verb")),
          "date": .integer(request.fields.integer("date")),
        ]), at: now)
  }

  private mutating func launchWatchApp(_ request: DeviceMessage) {
    let activity = request.fields.integer("activity")
    let isSilent = has(.launchSilent)
    let isSentOnly = has(.launchSentOnly)
    record(HealthLaunchAsked.self) {
      $0.activity = activity
      $0.outcome = isSilent ? "silent" : isSentOnly ? "sentOnly" : "sent"
    }
    guard !isSilent else { return }
    if !isSentOnly {
      pipes[0].send(
        DeviceMessage(
          "launch",
          [
            "activity": .integer(activity), "location": .integer(request.fields.integer("location")),
            "at": .integer(now.nanoseconds),
          ]), at: now)
    }
    // True only means "sent": it comes before the watch has answered anything.
    var later = request
    later.name = "mirror.launchSent"
    schedule(later, after: .milliseconds(200))
  }

  // MARK: Receiving

  mutating func receive(_ frame: Frame) {
    let lane = Int(frame.epoch.rawValue) - 1
    guard pipes.indices.contains(lane) else { return }
    let (messages, confirmation) = pipes[lane].receive(frame)
    if let confirmation { orders.append(.frame(from: role, confirmation)) }
    for message in messages { receive(message) }
  }

  private mutating func receive(_ message: DeviceMessage) {
    let generation = message.fields.integer("mirror")
    switch message.name {
    case "sync": receiveSync(message)
    case "launch":
      let sentAt = VirtualTime(nanoseconds: message.fields.integer("at"))
      guard now < sentAt + Self.launchPatience else { return }
      mirror.launch = (message.fields.integer("activity"), message.fields.integer("location"))
      orders.append(.launch(role))
      if isAppUp { handOverLaunch() }
    case "verb":
      guard let id = mirror.session, generation == mirror.generation else { return }
      let verb = DeviceMessage(
        message.fields.text("verb"), ["date": .integer(message.fields.integer("date"))])
      apply(verb, to: id, by: "phone")
    case "data" where role == .watch:
      guard let id = mirror.session, generation == mirror.generation else { return }
      let data = message.fields.bytes("data")
      recordReceived(data, mirror.generation)
      tell(DeviceMessage("mirror.data", ["session": .integer(Int64(bitPattern: id)), "data": .bytes(data)]))
    case "open": receiveOpen(message, generation)
    default:
      guard let proxy = mirror.proxy, proxy.generation == generation else { return }
      receiveOfMirror(message, proxy)
    }
  }

  private mutating func recordReceived(_ data: [UInt8], _ number: Int64) {
    record(MirrorDataReceived.self) {
      $0.mirror = number
      $0.bytes = Int64(data.count)
    }
  }

  private mutating func receiveOpen(_ message: DeviceMessage, _ generation: Int64) {
    let snapshot = message.fields.fields("snapshot")
    mirror.losesAt = nil
    if let proxy = mirror.proxy {
      guard proxy.generation != generation else { return }
      closeProxy(.lost, code: HealthCode.unreachable)
    }
    mirror.proxyCount += 1
    mirror.proxy = MirrorState.Proxy(
      number: mirror.proxyCount, generation: generation, snapshot: snapshot,
      offeredUntil: isAppUp ? now + Self.handlerPatience : .distantFuture)
    if isAppUp { offer() } else { scheduleLaunch() }
  }

  /// Hands a mirrored session to the app's handler, if it has one.
  mutating func offer() {
    guard isAppUp, mirror.hasHandler, let proxy = mirror.proxy, !proxy.isOffered, now <= proxy.offeredUntil else {
      return
    }
    // An app that started again gets another object.
    if mirror.proxyCount > proxy.number || proxy.offeredUntil == .distantFuture {
      mirror.proxyCount += 1
      mirror.proxy?.number = mirror.proxyCount
    }
    mirror.proxy?.isOffered = true
    let number = mirror.proxy?.number ?? 0
    record(MirrorChanged.self) {
      $0.mirror = number
      $0.to = .offered
    }
    orders.append(.launch(role))
    var message = DeviceMessage("mirror.offered", ["mirror": .integer(number)])
    message.fields += proxy.snapshot.filter { $0.key != "session" }
    tell(message)
    let waiting = mirror.proxy?.waiting ?? []
    mirror.proxy?.waiting = []
    for data in waiting { hand(data, number) }
  }

  private mutating func hand(_ data: [UInt8], _ number: Int64) {
    recordReceived(data, number)
    tell(DeviceMessage("mirror.data", ["mirror": .integer(number), "data": .bytes(data)]))
  }

  private mutating func receiveOfMirror(_ message: DeviceMessage, _ proxy: MirrorState.Proxy) {
    if !isAppUp { scheduleLaunch() }
    switch message.name {
    case "data":
      let data = message.fields.bytes("data")
      guard proxy.isOffered else { return mirror.proxy?.waiting.append(data) ?? () }
      hand(data, proxy.number)
    case "event":
      guard proxy.isOffered else { return }
      tell(
        DeviceMessage(
          "mirror.event", ["mirror": .integer(proxy.number), "event": message.fields["event"] ?? .record([])]))
    case "changed": receiveChange(message, proxy)
    case "close": closeProxy(.closed, code: 0)
    default: break
    }
  }

  private mutating func receiveChange(_ message: DeviceMessage, _ proxy: MirrorState.Proxy) {
    let state = message.fields.integer("to")
    if let index = mirror.proxy?.snapshot.firstIndex(where: { $0.key == "state" }) {
      mirror.proxy?.snapshot[index].value = .integer(state)
    }
    var change = DeviceMessage("mirror.changed", ["mirror": .integer(proxy.number)])
    change.fields += message.fields.filter { $0.key != "mirror" }
    guard state == WorkoutSessionState.State.ended.rawValue else {
      if proxy.isOffered { tell(change) }
      return
    }
    mirror.proxy = nil
    mirror.losesAt = nil
    guard proxy.isOffered else { return }
    // The end, and that the mirroring is over: in either order, and late.
    let most = has(.mirrorEndLate) ? VirtualTime.Span.seconds(30) : .seconds(2)
    let least = has(.mirrorEndLate) ? VirtualTime.Span.seconds(5) : .milliseconds(1)
    let closed = DeviceMessage("mirror.lost", ["mirror": .integer(proxy.number), "code": .integer(0)])
    mirror.later.append(
      MirrorState.Later(at: now + drawSpan(least, most), message: change, to: nil, number: proxy.number))
    mirror.later.append(
      MirrorState.Later(at: now + drawSpan(least, most), message: closed, to: .closed, number: proxy.number))
  }

  // MARK: Loss

  private mutating func closeProxy(_ state: MirrorChanged.State, code: Int64) {
    guard let proxy = mirror.proxy else { return }
    mirror.proxy = nil
    mirror.losesAt = nil
    guard proxy.isOffered else { return }
    record(MirrorChanged.self) {
      $0.mirror = proxy.number
      $0.to = state
    }
    let name = state == .failed ? "mirror.failed" : "mirror.lost"
    tell(DeviceMessage(name, ["mirror": .integer(proxy.number), "code": .integer(code)]))
  }

  /// The phone's mirrored session fails, whatever the watch does.
  mutating func failMirror() { closeProxy(.failed, code: HealthCode.unreachable) }

  private mutating func scheduleLaunch() {
    guard mirror.launchesAt == nil else { return }
    mirror.launchesAt = now + drawSpan(.milliseconds(500), .seconds(2))
  }

  /// Carries out what is due of the mirroring.
  mutating func advanceMirror() {
    if let at = mirror.launchesAt, at <= now {
      mirror.launchesAt = nil
      if !isAppUp {
        record(HealthLaunched.self) { $0.why = .mirror }
        orders.append(.launch(role))
      }
    }
    if let at = mirror.losesAt, at <= now { closeProxy(.lost, code: HealthCode.unreachable) }
    while let index = mirror.later.firstIndex(where: { $0.at <= now }) {
      let due = mirror.later.remove(at: index)
      if let to = due.to {
        record(MirrorChanged.self) {
          $0.mirror = due.number
          $0.to = to
        }
      }
      tell(due.message)
    }
  }

  /// The device learns that the link is up or down.
  mutating func setLink(isUp: Bool) {
    guard isUp != isLinkUp else { return }
    isLinkUp = isUp
    guard isUp else {
      if role == .phone, mirror.proxy != nil, mirror.losesAt == nil {
        mirror.losesAt = now + drawSpan(.seconds(10), .seconds(120))
      }
      return
    }
    if mirror.proxy != nil { mirror.losesAt = nil }
    for index in pipes.indices { pipes[index].hurry(at: now) }
    // The watch connects again by itself.
    if role == .watch, !has(.mirrorStays) { open() }
  }
}
