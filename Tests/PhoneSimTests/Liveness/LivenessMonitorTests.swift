import CoachProtocol
import Link
import PhoneSim
import Testing

@Suite struct LivenessMonitorTests {
  private func time(_ seconds: Double) -> VirtualTime { Ear.time(seconds) }

  @Test(arguments: [WorkoutState?.none, .preparing, .paused, .ended])
  func `no deadline runs unless the run is believed running`(state: WorkoutState?) {
    var monitor = LivenessMonitor(startedAt: .start)
    _ = monitor.updateBelief(state, at: time(1))
    #expect(monitor.nextDeadline == nil)
    #expect(monitor.fire(at: time(1000)) == false)
  }

  @Test func `silence is counted from the moment the run became running`() {
    var monitor = LivenessMonitor(startedAt: .start)
    _ = monitor.updateBelief(.running, at: time(7))
    #expect(monitor.nextDeadline == time(17))
  }

  @Test func `silence is counted from the last fresh snapshot`() {
    var monitor = LivenessMonitor(startedAt: .start)
    _ = monitor.updateBelief(.running, at: time(7))
    #expect(monitor.recordFresh(at: time(9.25)) == false)
    _ = monitor.updateBelief(.running, at: time(9.25))
    #expect(monitor.nextDeadline == time(19.25))
  }

  @Test func `silence is counted from the phone's own return`() {
    var monitor = LivenessMonitor(startedAt: .start)
    _ = monitor.updateBelief(.running, at: time(7))
    monitor.restartSilence(at: time(60))
    #expect(monitor.nextDeadline == time(70))
  }

  @Test func `an event that confirms running is not a sign of life`() {
    var monitor = LivenessMonitor(startedAt: .start)
    _ = monitor.updateBelief(.running, at: time(7))
    _ = monitor.updateBelief(.running, at: time(12))
    #expect(monitor.nextDeadline == time(17))
  }

  @Test func `it goes up exactly at its deadline, and not a nanosecond before`() {
    var monitor = LivenessMonitor(startedAt: .start)
    _ = monitor.updateBelief(.running, at: .start)
    #expect(monitor.fire(at: VirtualTime(nanoseconds: 9_999_999_999)) == false)
    #expect(monitor.fire(at: VirtualTime(nanoseconds: 10_000_000_000)) == true)
    #expect(monitor.isRaised)
  }

  @Test func `it is not put up twice`() {
    var monitor = LivenessMonitor(startedAt: .start)
    _ = monitor.updateBelief(.running, at: .start)
    #expect(monitor.fire(at: time(10)) == true)
    #expect(monitor.nextDeadline == nil)
    #expect(monitor.fire(at: time(20)) == false)
    // Not by a pause and a resume in between either: it was never taken down.
    _ = monitor.updateBelief(.paused, at: time(21))
    _ = monitor.updateBelief(.running, at: time(22))
    #expect(monitor.isRaised)
    #expect(monitor.nextDeadline == nil)
  }

  @Test func `it stays up on a pause, and a fresh snapshot takes it down there`() {
    var monitor = LivenessMonitor(startedAt: .start)
    _ = monitor.updateBelief(.running, at: .start)
    _ = monitor.fire(at: time(10))
    #expect(monitor.updateBelief(.paused, at: time(12)) == false)
    #expect(monitor.isRaised)
    #expect(monitor.recordFresh(at: time(13)) == true)
    #expect(monitor.recordFresh(at: time(14)) == false)
    #expect(monitor.nextDeadline == nil)
  }

  @Test func `the run's end takes it down once`() {
    var monitor = LivenessMonitor(startedAt: .start)
    _ = monitor.updateBelief(.running, at: .start)
    _ = monitor.fire(at: time(10))
    #expect(monitor.updateBelief(.ended, at: time(12)) == true)
    #expect(monitor.updateBelief(.ended, at: time(13)) == false)
    #expect(!monitor.isRaised)
  }

  @Test func `after it was taken down, silence raises it again`() {
    var monitor = LivenessMonitor(startedAt: .start)
    _ = monitor.updateBelief(.running, at: .start)
    _ = monitor.fire(at: time(10))
    _ = monitor.recordFresh(at: time(30))
    #expect(monitor.nextDeadline == time(40))
    #expect(monitor.fire(at: time(40)) == true)
  }

  @Test func `the phone's return leaves an indicator up that was up`() {
    var monitor = LivenessMonitor(startedAt: .start)
    _ = monitor.updateBelief(.running, at: .start)
    _ = monitor.fire(at: time(10))
    monitor.restartSilence(at: time(20))
    #expect(monitor.isRaised)
    #expect(monitor.nextDeadline == nil)
  }
}
