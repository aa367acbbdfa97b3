import AudioToolbox
import CoreHaptics
import Foundation
import Testing

/// The phone's haptic engine, without a run.
@Suite struct `Haptic engine` {
  private static func player(of engine: CHHapticEngine) throws -> any CHHapticPatternPlayer {
    let intensity = CHHapticEventParameter(parameterID: .hapticIntensity, value: 1)
    let pattern = try CHHapticPattern(
      events: [
        CHHapticEvent(eventType: .hapticTransient, parameters: [intensity], relativeTime: 0),
        CHHapticEvent(eventType: .hapticContinuous, parameters: [], relativeTime: 0.5, duration: 2),
      ], parameters: [])
    #expect(pattern.duration == 2.5)
    return try engine.makePlayer(with: pattern)
  }

  @Test func `a pattern is played by an engine that runs`() throws {
    let engine = try CHHapticEngine()
    let player = try Self.player(of: engine)
    #expect(throws: CHHapticError.self) { try player.start(atTime: CHHapticTimeImmediate) }
    try engine.start()
    try player.start(atTime: CHHapticTimeImmediate)
    engine.stop()
    #expect(throws: CHHapticError.self) { try player.start(atTime: CHHapticTimeImmediate) }
  }

  @Test func `the engine stops when the app leaves the foreground, and says so once`() throws {
    let engine = try CHHapticEngine()
    var reasons: [CHHapticEngine.StoppedReason] = []
    engine.stoppedHandler = { reasons.append($0) }
    try engine.start()
    for _ in 0..<2 {
      NotificationCenter.default.post(name: Notification.Name("UIApplicationDidEnterBackground"), object: nil)
    }
    #expect(reasons == [.applicationSuspended])
    let player = try Self.player(of: engine)
    #expect(throws: CHHapticError.self) { try player.start(atTime: 0) }
  }

  @Test func `system sounds are in AudioToolbox`() { AudioServicesPlaySystemSound(kSystemSoundID_Vibrate) }
}
