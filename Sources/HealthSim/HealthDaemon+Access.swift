import Link

/// What a user has answered about one type.
struct HealthAccessState: Sendable, Equatable {
  /// Whether the app may save: 0 not asked, 1 denied, 2 allowed.
  var share: Int64 = 0
  /// Whether the app may read, likewise; it never learns that.
  var read: Int64 = 0
}

/// Authorization.
extension HealthDaemon {
  /// What applies now, with what a fault has taken away.
  func access(to type: String) -> HealthAccessState {
    var state = access[type] ?? HealthAccessState()
    if setup.settings.isAllowedBefore, access[type] == nil {
      state = setup.settings.denied.contains(type) ? HealthAccessState(share: 1, read: 1) : .init(share: 2, read: 2)
    }
    if has(.accessRevoked) {
      if state.share == 2 { state.share = 1 }
      if state.read == 2 { state.read = 1 }
    }
    return state
  }

  mutating func carryOutAccess(_ request: DeviceMessage) {
    switch request.name {
    case "access.request": ask(request)
    case "access.answer": receiveUserAnswer(request)
    default: ignore(request, "no call of that name")
    }
  }

  private mutating func ask(_ request: DeviceMessage) {
    let share = request.fields.texts("share")
    let read = request.fields.texts("read")
    let open = share.contains { access(to: $0).share == 0 } || read.contains { access(to: $0).read == 0 }
    guard open else {
      record(HealthAccessAnswered.self) {
        $0.types = Int64(Set(share + read).count)
        $0.answer = .earlier
      }
      return answer(request)
    }
    var later = request
    later.name = "access.answer"
    schedule(later, after: setup.settings.answerAfter)
  }

  private mutating func receiveUserAnswer(_ request: DeviceMessage) {
    let share = request.fields.texts("share")
    let read = request.fields.texts("read")
    let types = Set(share + read).sorted()
    if has(.sheetIgnored) || setup.settings.answer == .ignore {
      return record(HealthAccessAnswered.self) {
        $0.types = Int64(types.count)
        $0.answer = .none
      }
    }
    var isAllowed = true
    for type in types {
      let allows = setup.settings.answer == .allow && !setup.settings.denied.contains(type)
      if !allows { isAllowed = false }
      var state = access[type] ?? HealthAccessState()
      if share.contains(type), state.share == 0 { state.share = allows ? 2 : 1 }
      if read.contains(type), state.read == 0 { state.read = allows ? 2 : 1 }
      access[type] = state
    }
    record(HealthAccessAnswered.self) {
      $0.types = Int64(types.count)
      $0.answer = isAllowed ? .allowed : .denied
    }
    tellAccess()
    answer(request)
  }

  /// Tells the app what it may save, which it reads without waiting.
  mutating func tellAccess() {
    let types = access.keys.sorted().map { type in
      let state = access(to: type)
      return DeviceValue.record([
        DeviceField("type", .text(type)), DeviceField("share", .integer(state.share)),
        DeviceField("isReadAsked", .flag(state.read != 0)),
      ])
    }
    tell(
      DeviceMessage(
        "access", ["types": .list(types), "allowsAll": .flag(setup.settings.isAllowedBefore && !has(.accessRevoked))]))
  }

  /// Begins or ends a flaw.
  mutating func set(_ flaw: HealthFlaw, isOn: Bool) {
    if isOn { flaws.append(flaw) } else if let index = flaws.firstIndex(of: flaw) { flaws.remove(at: index) }
    switch flaw {
    case .accessReset where isOn:
      access = [:]
      if isAppKnown { tellAccess() }
    case .accessRevoked: if isAppKnown { tellAccess() }
    case .otherWorkout where isOn:
      if let number = current { end(number, by: "system", code: HealthCode.anotherSession, tells: true) }
    case .mirrorFails where isOn: failMirror()
    default: break
    }
  }
}
