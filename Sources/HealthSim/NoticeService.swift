import Link

/// Notifications and Live Activities of a device's app, which outlive it.
struct NoticeState: Sendable {
  struct Notice: Sendable {
    var id: String
    var title: String
    /// What the app needs to make its object again.
    var content: [UInt8]
    var at: VirtualTime
    /// Nil for one that is shown once.
    var every: VirtualTime.Span?
    var number: Int64

    var encoded: DeviceValue {
      .record([DeviceField("id", .text(id)), DeviceField("content", .bytes(content))])
    }
  }
  struct Activity: Sendable {
    /// On this device, for people.
    var number: Int64
    var id: String
    var type: String
    var attributes: [UInt8]
    var content: [UInt8]
    /// 0 active, 1 ended, 2 dismissed, 3 stale: the order of ActivityKit.
    var state: Int64
    var turn: Int64 = 0

    var encoded: DeviceValue {
      .record([
        DeviceField("activity", .text(id)), DeviceField("type", .text(type)), DeviceField("state", .integer(state)),
        DeviceField("attributes", .bytes(attributes)), DeviceField("content", .bytes(content)),
      ])
    }
  }

  /// The system keeps no more for an app.
  static let pendingMax = 64
  var pending: [Notice] = []
  var delivered: [Notice] = []
  /// Handed to the app in front, which decides.
  var offered: [Notice] = []
  var count: Int64 = 0
  var activities: [Activity] = []
  var activityCount: Int64 = 0
}

/// UserNotifications.
extension HealthDaemon {
  mutating func carryOutNotice(_ request: DeviceMessage) {
    let ids = Set(request.fields.texts("ids"))
    let all = request.fields.flag("all")
    switch request.name {
    case "notice.add": add(request)
    case "notice.fire": fireNotice(request.fields.integer("number"))
    case "notice.answer":
      guard let index = system.notices.offered.firstIndex(where: { $0.number == request.fields.integer("number") })
      else { return }
      show(system.notices.offered.remove(at: index), isShown: request.fields.flag("isShown"))
    case "notice.remove":
      for notice in system.notices.pending where all || ids.contains(notice.id) { record(.removed, notice) }
      system.notices.pending.removeAll { all || ids.contains($0.id) }
    case "notice.clear": system.notices.delivered.removeAll { all || ids.contains($0.id) }
    case "notice.list":
      let isDelivered = request.fields.flag("isDelivered")
      let list = isDelivered ? system.notices.delivered : system.notices.pending
      answer(request, code: 0, text: "", [DeviceField("list", .list(list.map(\.encoded)))])
    default: recordRefusal(request.name, "no call of that name")
    }
  }

  private mutating func record(_ to: DeviceNotificationChanged.State, _ notice: NoticeState.Notice) {
    record(DeviceNotificationChanged.self) {
      $0.to = to
      $0.id = notice.id
      $0.title = notice.title
    }
  }

  private mutating func add(_ request: DeviceMessage) {
    let wait = max(0, request.fields.integer("wait"))
    let every = request.fields.integer("every")
    system.notices.count += 1
    let notice = NoticeState.Notice(
      id: request.fields.text("notice"), title: request.fields.text("title"), content: request.fields.bytes("content"),
      at: now + VirtualTime.Span(nanoseconds: wait),
      every: every > 0 ? max(VirtualTime.Span(nanoseconds: every), .seconds(60)) : nil,
      number: system.notices.count)
    guard permission(.notifications) >= 2 else {
      record(.dropped, notice)
      return refuseCall(request, "UNUserNotificationCenter.add", code: 1, "Notifications are not allowed")
    }
    // A request with the identifier of another one replaces it.
    system.notices.pending.removeAll { $0.id == notice.id }
    answer(request)
    guard system.notices.pending.count < NoticeState.pendingMax else { return record(.dropped, notice) }
    system.notices.pending.append(notice)
    record(.scheduled, notice)
    scheduleNotice(notice, after: notice.at - now)
  }

  /// It outlives the app.
  private mutating func scheduleNotice(_ notice: NoticeState.Notice, after span: VirtualTime.Span) {
    schedule(DeviceMessage("notice.fire", ["number": .integer(notice.number)]), after: span)
  }

  private mutating func fireNotice(_ number: Int64) {
    guard let index = system.notices.pending.firstIndex(where: { $0.number == number }) else { return }
    let notice = system.notices.pending[index]
    if let every = notice.every {
      scheduleNotice(notice, after: every)
    } else {
      system.notices.pending.remove(at: index)
    }
    guard permission(.notifications) >= 2 else { return record(.dropped, notice) }
    guard isAppUp, isAppKnown, !system.isAppAsleep else { return show(notice, isShown: true) }
    system.notices.offered.append(notice)
    tell(
      DeviceMessage(
        "notice.fired", ["number": .integer(number), "id": .text(notice.id), "content": .bytes(notice.content)]))
  }

  private mutating func show(_ notice: NoticeState.Notice, isShown: Bool) {
    if isShown {
      system.notices.delivered.removeAll { $0.id == notice.id }
      system.notices.delivered.append(notice)
    }
    record(isShown ? .shown : .silenced, notice)
  }
}

/// ActivityKit: the phone shows what its app has said last, whether that lives or not.
extension HealthDaemon {
  /// How long the system lets one be active, and how long one that has ended stays.
  private static let activeMax = VirtualTime.Span.hours(8)
  private static let endedMax = VirtualTime.Span.hours(4)

  mutating func carryOutActivity(_ request: DeviceMessage) {
    let id = request.fields.text("activity")
    if request.name == "activity.refused" {
      return recordRefusal("Activity.request", code: request.fields.integer("code"), request.fields.text("text"))
    }
    if request.name == "activity.request" { return begin(id, request) }
    guard let index = system.notices.activities.firstIndex(where: { $0.id == id }) else { return }
    let state = system.notices.activities[index].state
    let turn = request.fields.integer("turn")
    switch request.name {
    case "activity.update" where state == 0 || state == 3:
      system.notices.activities[index].content = request.fields.bytes("content")
      set(index, to: 0, .updated)
      plan(index, staleAfter: request.fields.integer("stale"))
    case "activity.end" where state == 0 || state == 3:
      if !request.fields.bytes("content").isEmpty {
        system.notices.activities[index].content = request.fields.bytes("content")
      }
      end(index, dismissAfter: request.fields.integer("dismiss"))
    case "activity.update", "activity.end":
      recordRefusal("Activity.\(request.name.dropFirst(9))", "the activity has ended")
    case "activity.limit" where state == 0 || state == 3: end(index, dismissAfter: -1)
    case "activity.stale" where state == 0 && turn == system.notices.activities[index].turn: set(index, to: 3, .stale)
    case "activity.dismiss":
      set(index, to: 2, .dismissed)
      system.notices.activities.remove(at: index)
    default: break
    }
  }

  private mutating func begin(_ id: String, _ request: DeviceMessage) {
    system.notices.activityCount += 1
    system.notices.activities.append(
      NoticeState.Activity(
        number: system.notices.activityCount, id: id, type: request.fields.text("type"),
        attributes: request.fields.bytes("attributes"), content: request.fields.bytes("content"), state: 0))
    let index = system.notices.activities.count - 1
    set(index, to: 0, .active)
    later("activity.limit", index, after: Self.activeMax)
    plan(index, staleAfter: request.fields.integer("stale"))
  }

  /// A timer that outlives the app.
  private mutating func later(_ name: String, _ index: Int, after span: VirtualTime.Span) {
    let activity = system.notices.activities[index]
    schedule(
      DeviceMessage(name, ["activity": .text(activity.id), "turn": .integer(activity.turn)]), after: span)
  }

  private mutating func plan(_ index: Int, staleAfter nanoseconds: Int64) {
    system.notices.activities[index].turn += 1
    if nanoseconds > 0 { later("activity.stale", index, after: VirtualTime.Span(nanoseconds: nanoseconds)) }
  }

  private mutating func end(_ index: Int, dismissAfter nanoseconds: Int64) {
    set(index, to: 1, .ended)
    let wait = nanoseconds < 0 ? Self.endedMax : min(VirtualTime.Span(nanoseconds: nanoseconds), Self.endedMax)
    later("activity.dismiss", index, after: wait)
  }

  private mutating func set(_ index: Int, to state: Int64, _ to: DeviceActivityChanged.State) {
    system.notices.activities[index].state = state
    let activity = system.notices.activities[index]
    record(DeviceActivityChanged.self) {
      $0.to = to
      $0.activity = activity.number
      $0.content = String(decoding: activity.content.prefix(1_024), as: UTF8.self)
    }
    tell(DeviceMessage("activity.state", ["activity": .text(activity.id), "state": .integer(state)]))
  }
}
