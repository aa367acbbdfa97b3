import Link

/// Background delivery: which types wake the app, and how the wakes go.
struct WakeState: Sendable {
  /// The frequency of each type, as `HKUpdateFrequency` numbers it; it outlives the app.
  var types: [String: Int64] = [:]
  /// What has changed since the last wake.
  var changed: Set<String> = []
  /// When the app is woken for it; nil for not at all.
  var dueAt: VirtualTime?
  var last: VirtualTime?
  /// Number of wakes so far.
  var count: Int64 = 0
  /// The wake whose end the app has not told; nil for none.
  var open: Int64?
  /// Wakes in a row that the app did not end.
  var misses = 0

  /// After so many the system delivers no more.
  static let missesMax = 3
  /// One completed wake in so many is followed by one without a change.
  static let spurious: UInt64 = 4
  /// How long an app of the watch may take for one.
  static let allowance = VirtualTime.Span.seconds(15)
}

extension HealthDaemon {
  /// Whether a user or the system has the app where no wake is needed.
  private var isAwake: Bool { isAppUp && !system.isAppAsleep }

  mutating func setDelivery(_ request: DeviceMessage) {
    let type = request.fields.text("type")
    let frequency = request.fields.integer("frequency")
    switch (type.isEmpty, frequency) {
    case (true, _): wakes.types = [:]
    case (false, 0): wakes.types[type] = nil
    default: wakes.types[type] = frequency
    }
    answer(request)
  }

  /// Plans a wake for what has changed while the app sleeps or is gone; returns those types.
  mutating func planWake(for types: Set<String>) -> Set<String> {
    guard !isAwake, !wakes.types.isEmpty, !isSyncOver else { return [] }
    let delivered = types.filter { wakes.types[$0] != nil }
    guard !delivered.isEmpty else { return [] }
    wakes.changed.formUnion(delivered)
    planWake()
    return delivered
  }

  /// Plans a wake for the changes so far, unless there is one.
  private mutating func planWake() {
    guard wakes.dueAt == nil else { return }
    let frequency = wakes.changed.compactMap { wakes.types[$0] }.min() ?? 1
    // Hourly, daily, weekly; a watch has no more than one an hour without a complication, whatever was asked for.
    let hours: Int64 = frequency == 4 ? 168 : frequency == 3 ? 24 : frequency == 2 || role == .watch ? 1 : 0
    let soon = now + drawSpan(.seconds(2), .seconds(10))
    wakes.dueAt = max(soon, wakes.last.map { $0 + .hours(hours) } ?? soon)
  }

  mutating func wakeIfDue() {
    guard let dueAt = wakes.dueAt, dueAt <= now else { return }
    wakes.dueAt = nil
    // In the meantime the app may have come by itself.
    guard !isAwake else {
      let types = wakes.changed
      wakes.changed = []
      return tellObservers(of: types)
    }
    wakes.last = now
    wakes.count += 1
    wakes.open = wakes.count
    record(HealthLaunched.self) { $0.why = .delivery }
    orders.append(.launch(role))
    schedule(DeviceMessage("wake.deadline", ["number": .integer(wakes.count)]), after: WakeState.allowance)
    // A suspended app has its queries; another one makes them first.
    for observer in observers { tellWake(observer) }
  }

  /// Tells a query what the app was woken for.
  mutating func tellWake(_ observer: HealthObserver) {
    guard let open = wakes.open else { return }
    let types = observer.types.filter { wakes.changed.contains($0) }
    guard !types.isEmpty else { return }
    tell(
      DeviceMessage(
        "store.changed",
        ["observer": .integer(observer.id), "types": .texts(types), "wake": .integer(open)]))
  }

  mutating func endWake(_ number: Int64) {
    guard wakes.open == number else { return }
    // In its handler the app may have switched delivery off.
    let types = wakes.changed.filter { wakes.types[$0] != nil }
    wakes.open = nil
    wakes.changed = []
    wakes.misses = 0
    // Some wakes come without a change.
    guard !types.isEmpty, wakes.dueAt == nil, !isSyncOver, draw(below: WakeState.spurious) == 0 else { return }
    wakes.changed = types
    planWake()
  }

  mutating func judgeWake(_ number: Int64) {
    let isMissed = wakes.open == number
    let overruns = has(.wakeOverruns) && number > 1
    if isMissed {
      wakes.open = nil
      wakes.misses += 1
      if wakes.misses >= WakeState.missesMax {
        wakes.types = [:]
        record(HealthCallRefused.self) {
          $0.call = "enableBackgroundDelivery"
          $0.why = "\(WakeState.missesMax) wakes in a row were not completed: there are no more"
        }
      }
    }
    guard isMissed || overruns, role == .watch, isAppUp else { return }
    orders.append(.kill(role, cause: HealthFault.wakeDeath))
  }
}
