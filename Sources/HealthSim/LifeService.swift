import Link

/// What a device's system knows of the life of its app.
struct LifeState: Sendable {
  /// Whether the app learns of its life: it has a delegate for it.
  var isFollowed = false
  /// Whether it was woken behind the foreground.
  var isBehind = false
  /// Its open tasks in the background, by the numbers that it gave them.
  var tasks: Set<Int64> = []
  /// When a sleeping watch's app is woken for content of its session; nil for not at all.
  var refreshAt: VirtualTime?

  /// How many tasks may be open; more are refused.
  static let tasksMax = 1_000

  /// How long a task in the background may take, in seconds; the app is warned a second before.
  static func allowance(of role: NodeRole) -> Int64 { role == .watch ? 15 : 30 }
}

/// Tasks in the background, wakes for content, and memory.
extension HealthDaemon {
  mutating func carryOutLife(_ request: DeviceMessage) {
    let number = request.fields.integer("number")
    switch request.name {
    case "life.launch":
      life.isFollowed = true
      answer(request, code: 0, text: "", [DeviceField("isBackground", .flag(startedInBackground))])
    case "life.front": startedInBackground = false
    case "life.task": beginTask(number)
    case "life.taskEnd": life.tasks.remove(number)
    case "life.warning":
      if life.tasks.contains(number) { tell(DeviceMessage("life.expires", ["number": .integer(number)])) }
    case "life.deadline": endOverdue(number)
    default: recordRefusal(request.name, "no call of that name")
    }
  }

  /// What the app learns of a wake, or of a user who comes to an app that was woken behind the foreground.
  mutating func noteWake(inBackground: Bool) -> DeviceMessage? {
    if !inBackground { startedInBackground = false }
    guard life.isFollowed, life.isBehind != inBackground else { return nil }
    life.isBehind = inBackground
    return DeviceMessage(inBackground ? "life.behind" : "life.front")
  }

  // MARK: Tasks

  private mutating func beginTask(_ number: Int64) {
    guard life.tasks.count < LifeState.tasksMax else {
      return recordRefusal("beginBackgroundTask", "\(LifeState.tasksMax) tasks are open")
    }
    life.tasks.insert(number)
    let allowance = LifeState.allowance(of: role)
    schedule("life.warning", ["number": .integer(number)], after: .seconds(allowance - 1))
    schedule("life.deadline", ["number": .integer(number)], after: .seconds(allowance))
    // A task is what keeps an app from its sleep.
    if system.isAppAsleep { orders.append(.wake(role, cause: "task")) }
  }

  /// Ends an app that has not ended its task, as the system does.
  private mutating func endOverdue(_ number: Int64) {
    guard life.tasks.contains(number), isAppUp, !isSyncOver else { return }
    // A fault froze it, against the rule that a task keeps an app awake: the time says nothing of the app.
    guard !system.isAppAsleep else {
      life.tasks.remove(number)
      return
    }
    let (kind, code) = role == .watch ? ("watchKit", "0xc51bad02") : ("uiKit", "0x8badf00d")
    let seconds = LifeState.allowance(of: role)
    let text = "a task in the background was not completed within \(seconds) s: the system ends the app (\(code))"
    orders.append(.event(AppFact.finding(kind, text, at: now, on: role.place)))
    orders.append(.kill(role, cause: SystemFault.taskDeath))
  }

  // MARK: Content

  /// Plans a wake for content that a sleeping watch's app has.
  ///
  /// It shares the system's budget of one wake an hour with the wakes for Health data.
  mutating func planRefresh() {
    guard role == .watch, life.isFollowed, system.isAppAsleep, life.refreshAt == nil, !isSyncOver else { return }
    let soon = now + drawSpan(.seconds(2), .seconds(10))
    life.refreshAt = max(soon, wakes.last.map { $0 + .hours(1) } ?? soon)
  }

  mutating func refreshIfDue() {
    guard let at = life.refreshAt, at <= now else { return }
    life.refreshAt = nil
    // In the meantime it may have woken, and then it has the content.
    guard isAppUp, system.isAppAsleep else { return }
    wakes.last = now
    orders.append(.wake(role, cause: "content"))
  }

  // MARK: Memory

  /// Warns a phone's app that runs; a watch's gets no warning, and one that sleeps neither.
  mutating func warnOfMemory() {
    guard role == .phone, life.isFollowed, isAppUp, !system.isAppAsleep else { return }
    tell(DeviceMessage("life.memory"))
  }
}
