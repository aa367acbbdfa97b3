import Link

/// Who follows the position, and what is known of it.
struct PositionState: Sendable {
  struct Manager: Sendable {
    /// Least way between two positions, in millimetres.
    var filter: Int64
    /// Whether one position is wanted.
    var isOnce: Bool
    /// When it was asked for.
    var at: VirtualTime
    /// Where the last position was told, in 10^-7 degrees.
    var told: (latitude: Int64, longitude: Int64)?
  }

  var managers: [Int64: Manager] = [:]
  /// When the satellites are found.
  var fixAt: VirtualTime?
  var isFixed = false
  /// When the receiver last worked: it finds the satellites sooner then.
  var workedAt: VirtualTime?
  /// Managers that follow the compass.
  var compasses: Set<Int64> = []
  /// The last way of the body, which it faces: from and to, in 10^-7 degrees.
  var way: [Int64] = []
  /// The body at the last second.
  var last: (second: Int64, reading: BodyReading)?
}

/// CoreLocation: positions of the athlete, with this device's own error.
extension HealthDaemon {
  mutating func carryOutLocation(_ request: DeviceMessage) {
    let id = request.fields.integer("manager")
    switch request.name {
    case "location.start", "location.once": follow(id, request, isOnce: request.name == "location.once")
    case "location.stop":
      guard system.position.managers.removeValue(forKey: id) != nil, system.position.managers.isEmpty else { return }
      restReceiver()
    case "location.compass":
      system.position.compasses.remove(id)
      if request.fields.flag("isOn") { system.position.compasses.insert(id) }
    case "location.timeout":
      guard let manager = system.position.managers[id], manager.isOnce,
        manager.at.nanoseconds <= request.fields.integer("at")
      else { return }
      system.position.managers[id] = nil
      if system.position.managers.isEmpty { restReceiver() }
      fail(id, "requestLocation", code: 0, "no position within 10 s")
    default: recordRefusal(request.name, "no call of that name")
    }
  }

  private mutating func follow(_ id: Int64, _ request: DeviceMessage, isOnce: Bool) {
    let call = isOnce ? "requestLocation" : "startUpdatingLocation"
    if permission(.location) == 1 { return fail(id, call, code: 1, "the user has denied access to the position") }
    // What was not started in front needs the right to it, or a workout.
    if role == .phone, startedInBackground, permission(.location) == 2 {
      return fail(id, call, code: 1, "an app behind the foreground may not begin, with access only while it is in use")
    }
    let isFirst = system.position.managers.isEmpty
    // Who gets positions anyway gets this one among them.
    if isOnce, system.position.managers[id]?.isOnce == false { return }
    system.position.managers[id] = .init(filter: request.fields.integer("filter"), isOnce: isOnce, at: now)
    if isOnce {
      schedule(
        "location.timeout", ["manager": .integer(id), "at": .integer(now.nanoseconds)], after: .seconds(10))
    }
    guard isFirst else { return }
    let isWarm = system.position.workedAt.map { now - $0 < .seconds(60) } ?? false
    system.position.fixAt = now + (isWarm ? .seconds(1) : drawSpan(.seconds(2), .seconds(8)))
    system.position.isFixed = false
    record(DeviceLocationChanged.self) { $0.to = .started }
  }

  private mutating func restReceiver() {
    system.position.isFixed = false
    record(DeviceLocationChanged.self) { $0.to = .stopped }
  }

  mutating func loseFix() {
    system.position.isFixed = false
    record(DeviceLocationChanged.self) { $0.to = .lost }
  }

  private mutating func fail(_ id: Int64, _ call: String, code: Int64, _ why: String) {
    recordRefusal(call, code: code, why)
    tell(DeviceMessage("location.failed", ["manager": .integer(id), "code": .integer(code), "text": .text(why)]))
  }

  /// The compass: the athlete faces the way of the last second, give or take 10 degrees.
  mutating func measureHeading(_ reading: BodyReading, _ second: Int64) {
    guard let north = reading.latitudeE7, let east = reading.longitudeE7 else { return }
    if let last = system.position.last?.reading, let lastNorth = last.latitudeE7, let lastEast = last.longitudeE7,
      (lastNorth, lastEast) != (north, east)
    {
      system.position.way = [lastNorth, lastEast, north, east].map { Int64($0) }
    }
    guard !system.position.compasses.isEmpty, !system.position.way.isEmpty else { return }
    let stream = RandomStream(seed: setup.seed, name: "corelocation.heading.\(role.text)")
    tell(
      DeviceMessage(
        "location.heading",
        [
          "managers": .list(system.position.compasses.sorted().map { .integer($0) }), "at": .integer(clock),
          "way": .list(system.position.way.map { .integer($0) }), "isPlaced": .flag(system.position.isFixed),
          "error": .integer(Int64(stream.number(below: 2_001, for: UInt64(second))) - 1_000),
        ]))
  }

  mutating func measurePosition(_ reading: BodyReading, _ second: Int64) {
    defer { system.position.last = (second, reading) }
    guard !system.position.managers.isEmpty, let fixAt = system.position.fixAt, fixAt <= now,
      permission(.location) >= 2, !system.has(.noFix), let north = reading.latitudeE7, let east = reading.longitudeE7
    else { return }
    let accuracy = system.has(.coarseFix) ? 100 : settings.accuracy
    if !system.position.isFixed {
      system.position.isFixed = true
      record(DeviceLocationChanged.self) {
        $0.to = .fixed
        $0.accuracy = accuracy
      }
    }
    system.position.workedAt = now
    // About 90 units of latitude a metre; the error is within the accuracy that it states.
    let stream = RandomStream(seed: setup.seed, name: "corelocation.\(role.text)")
    func error(_ number: UInt64) -> Int64 {
      let width = UInt64(accuracy) * 90
      return Int64(stream.number(below: width + 1, for: UInt64(second), draw: number)) - Int64(width / 2)
    }
    let latitude = Int64(north) + error(1)
    let longitude = Int64(east) + error(2)
    var speed: Int64 = -1
    if let last = system.position.last, last.second < second {
      speed = max(0, reading.distanceMillimetres - last.reading.distanceMillimetres) / (second - last.second)
    }
    let wanted = system.position.managers.keys.sorted().filter { isFarEnough($0, latitude, longitude) }
    guard !wanted.isEmpty else { return }
    tell(
      DeviceMessage(
        "location.fix",
        [
          "managers": .list(wanted.map { .integer($0) }), "at": .integer(clock), "latitudeE7": .integer(latitude),
          "longitudeE7": .integer(longitude), "altitude": .integer(reading.altitudeMillimetres),
          "accuracy": .integer(accuracy), "speed": .integer(speed),
        ]))
    let onces = wanted.filter { system.position.managers[$0]?.isOnce == true }
    for id in wanted { system.position.managers[id]?.told = (latitude, longitude) }
    for id in onces { system.position.managers[id] = nil }
    if system.position.managers.isEmpty { restReceiver() }
  }

  /// Whether a manager is told of a position: the way from the last one, along the meridian and across it.
  private func isFarEnough(_ id: Int64, _ latitude: Int64, _ longitude: Int64) -> Bool {
    guard let manager = system.position.managers[id], manager.filter > 0, let told = manager.told else { return true }
    let (north, east) = (latitude - told.latitude, longitude - told.longitude)
    // 11.12 mm a unit of latitude; of longitude less, by 0.6 as a compromise between the equator and the pole.
    let millimetres = (north.magnitude * 11 + east.magnitude * 7)
    return millimetres >= UInt64(manager.filter)
  }
}

/// Steps so far, second by second, and who follows them.
struct MotionState: Sendable {
  struct Entry: Sendable {
    var second: Int64
    var steps: Int64
    var millimetres: Int64
  }
  struct Pedometer: Sendable {
    var id: Int64
    /// Of the first step that counts.
    var from: Int64
    var toldSteps: Int64 = -1
    var toldAt: Int64 = 0
  }
  /// What the athlete does; the raw values are those of the messages.
  enum Activity: Int64, Sendable { case stationary, walking, running, cycling, unknown }

  var log = [Entry(second: 0, steps: 0, millimetres: 0)]
  var pedometers: [Pedometer] = []
  /// Who follows the activity.
  var watchers: [Int64] = []
  var activities: [(second: Int64, activity: Activity)] = [(0, .stationary)]
  /// What it seems to be since when; reported once it lasts.
  var candidate: (activity: Activity, second: Int64)?

  var isIdle: Bool { pedometers.isEmpty && watchers.isEmpty }

  /// Steps and way up to a second, between two entries in proportion.
  func sums(until second: Int64) -> (steps: Int64, millimetres: Int64) {
    let index = log.partitioningIndex { $0.second > second }
    guard index > 0 else { return (0, 0) }
    let before = log[index - 1]
    guard index < log.count, before.second < second else { return (before.steps, before.millimetres) }
    let after = log[index]
    let (part, whole) = (second - before.second, after.second - before.second)
    return (
      before.steps + (after.steps - before.steps) * part / whole,
      before.millimetres + (after.millimetres - before.millimetres) * part / whole
    )
  }
}

extension Array {
  /// The first index whose element is in the second part of a partitioned array.
  fileprivate func partitioningIndex(_ isInSecondPart: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isInSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// CoreMotion: steps and activity of the athlete; the phone has them where it is carried along.
extension HealthDaemon {
  private var isWorn: Bool { role == .watch || setup.settings.isPhoneCarried }
  /// `CMErrorMotionActivityNotAuthorized`.
  private static let notAuthorized: Int64 = 105

  mutating func carryOutMotion(_ request: DeviceMessage) {
    let id = request.fields.integer("pedometer")
    switch request.name {
    case "motion.stop": system.motion.pedometers.removeAll { $0.id == id }
    case "motion.unwatch": system.motion.watchers.removeAll { $0 == id }
    case "motion.start", "motion.watch", "motion.query", "motion.activities":
      guard mayUse(.motion) || permission(.motion) == 0 && request.name != "motion.query" else {
        let call = request.name == "motion.query" ? "queryPedometerData" : String(request.name.dropFirst(7))
        tell(DeviceMessage("motion.failed", ["pedometer": .integer(id), "code": .integer(Self.notAuthorized)]))
        return refuseCall(request, call, code: Self.notAuthorized, "the user has not allowed motion data")
      }
      use(id, request)
    default: recordRefusal(request.name, "no call of that name")
    }
  }

  private mutating func use(_ id: Int64, _ request: DeviceMessage) {
    let (from, to) = (second(request.fields.integer("from")), second(request.fields.integer("to")))
    switch request.name {
    case "motion.start": system.motion.pedometers.append(.init(id: id, from: from))
    case "motion.watch":
      system.motion.watchers.append(id)
      if let last = system.motion.activities.last { tell(activity: last, to: [id]) }
    case "motion.query": answer(request, code: 0, text: "", data(from: from, to: to))
    default:
      let found = system.motion.activities.enumerated().filter { index, entry in
        let next = index + 1 < system.motion.activities.count ? system.motion.activities[index + 1].second : .max
        return entry.second < to && next > from
      }
      answer(request, code: 0, text: "", [DeviceField("activities", .list(found.map { encoded($0.element) }))])
    }
  }

  /// The second of the run at a date of this device, in nanoseconds since 1970.
  private func second(_ date: Int64) -> Int64 { (date &- setup.startedAt &- skew) / 1_000_000_000 }
  private func date(_ second: Int64) -> Int64 { setup.startedAt &+ skew &+ second &* 1_000_000_000 }

  private func data(from: Int64, to: Int64) -> [DeviceField] {
    let (begin, end) = (system.motion.sums(until: from), system.motion.sums(until: to))
    return [
      DeviceField("steps", .integer(end.steps - begin.steps)),
      DeviceField("millimetres", .integer(end.millimetres - begin.millimetres)),
    ]
  }

  private func encoded(_ entry: (second: Int64, activity: MotionState.Activity)) -> DeviceValue {
    .record([
      DeviceField("at", .integer(date(entry.second))), DeviceField("activity", .integer(entry.activity.rawValue)),
    ])
  }

  private mutating func tell(activity entry: (second: Int64, activity: MotionState.Activity), to watchers: [Int64]) {
    guard permission(.motion) >= 2 else { return }
    for id in watchers {
      tell(DeviceMessage("motion.activity", ["pedometer": .integer(id), "entry": encoded(entry)]))
    }
  }

  mutating func measureMotion(_ reading: BodyReading, _ second: Int64) {
    guard isWorn else { return }
    let before = system.motion.log.last
    if before?.steps != reading.steps || before?.millimetres != reading.distanceMillimetres {
      system.motion.log.append(
        .init(second: second, steps: reading.steps, millimetres: reading.distanceMillimetres))
    }
    if let last = system.position.last, last.second < second { classify(reading, last, second) }
    guard permission(.motion) >= 2 else { return }
    for index in system.motion.pedometers.indices {
      let pedometer = system.motion.pedometers[index]
      // Steps are told in groups, as the sensor counts them.
      guard second - pedometer.toldAt >= 3, reading.steps != pedometer.toldSteps else { continue }
      var fields = data(from: pedometer.from, to: second)
      let recent = data(from: second - 10, to: second)
      fields += [
        DeviceField("pedometer", .integer(pedometer.id)), DeviceField("to", .integer(clock)),
        DeviceField("recentSteps", recent[0].value), DeviceField("recentMillimetres", recent[1].value),
      ]
      var message = DeviceMessage("motion.data")
      message.fields = fields
      tell(message)
      system.motion.pedometers[index].toldSteps = reading.steps
      system.motion.pedometers[index].toldAt = second
    }
  }

  /// What the athlete seems to do, reported once it has lasted for 5 s.
  private mutating func classify(_ reading: BodyReading, _ last: (second: Int64, reading: BodyReading), _ second: Int64)
  {
    let seconds = second - last.second
    let speed = (reading.distanceMillimetres - last.reading.distanceMillimetres) / seconds
    let steps = (reading.steps - last.reading.steps) * 60 / seconds
    let activity: MotionState.Activity =
      switch (speed, steps) {
      case (..<200, 0): .stationary
      case (_, 1...) where speed >= 1_900: .running
      case (_, 1...): .walking
      case (2_500..., _): .cycling
      default: .unknown
      }
    guard activity != system.motion.activities.last?.activity else { return system.motion.candidate = nil }
    guard let candidate = system.motion.candidate, candidate.activity == activity else {
      return system.motion.candidate = (activity, second)
    }
    guard second - candidate.second >= 5 || seconds > 5 else { return }
    system.motion.candidate = nil
    let entry = (second: candidate.second, activity: activity)
    system.motion.activities.append(entry)
    tell(activity: entry, to: system.motion.watchers)
  }
}
