import HealthSim
import Link

/// What the users of apps allow, and what their devices have besides: `healthKit` and `system`, drawn from the seed.
struct DrawnAccess {
  let seed: UInt64
  /// Of the run.
  let duration: VirtualTime.Span

  private static let types = ["HeartRate", "StepCount", "ActiveEnergyBurned", "DistanceWalkingRunning"].map {
    "HKQuantityTypeIdentifier\($0)"
  }

  /// What the user answers, what of `types` is denied whatever the answer, how late the answer is, and whether it was given before.
  private func permissions<Type>(_ types: [Type], _ dice: inout Dice) -> (
    HealthSettings.Answer, [Type], VirtualTime.Span, Bool
  ) {
    let answer = dice.happens(75) ? .allow : dice.pick(HealthSettings.Answer.allCases)
    let denied = types.filter { _ in dice.happens(12) }
    return (answer, denied, dice.span(.milliseconds(200)...(.seconds(30))), dice.happens(40))
  }

  var healthKit: HealthSettings {
    var dice = Dice(seed: seed, "access.health")
    var settings = HealthSettings()
    (settings.answer, settings.denied, settings.answerAfter, settings.isAllowedBefore) = permissions(
      Self.types, &dice)
    settings.syncLag = dice.span(.seconds(1)...(.seconds(300)))
    settings.heartRateEvery = dice.span(.seconds(1)...(.seconds(20)))
    settings.isPhoneCarried = dice.happens(70)
    return settings
  }

  var system: SystemSettings {
    var dice = Dice(seed: seed, "access.system")
    var settings = SystemSettings()
    (settings.answer, settings.denied, settings.answerAfter, settings.isAllowedBefore) = permissions(
      DeviceService.allCases, &dice)
    settings.accuracy = dice.pick([3, 5, 12, 65, 200])
    settings.hasMusic = dice.happens(25)
    settings.hasLiveActivities = dice.happens(80)
    settings.appointments = (1...4).filter { _ in dice.happens(30) }.map { number in
      var entry = SystemAppointment()
      (entry.title, entry.at) = ("Appointment \(number)", instant(&dice))
      (entry.length, entry.isAllDay) = (dice.span(.seconds(300)...(.hours(3))), dice.happens(15))
      entry.calendar = dice.pick(["Work", "Personal"])
      return entry
    }
    settings.reminders = (1...4).filter { _ in dice.happens(30) }.map { number in
      var entry = SystemReminder()
      (entry.title, entry.due) = ("Reminder \(number)", dice.happens(70) ? instant(&dice) : nil)
      (entry.isDone, entry.priority) = (dice.happens(30), dice.pick([0, 1, 5, 9]))
      return entry
    }
    settings.says = (1...3).filter { _ in dice.happens(30) }.map { number in
      var saying = SystemSaying()
      (saying.at, saying.text) = (instant(&dice), "How far is it, number \(number)?")
      return saying
    }
    if dice.happens(10) { settings.costOfTurn = dice.span(.milliseconds(1)...(.milliseconds(8))) }
    return settings
  }

  private func instant(_ dice: inout Dice) -> VirtualTime { dice.instant(.start...(.start + duration)) }
}
