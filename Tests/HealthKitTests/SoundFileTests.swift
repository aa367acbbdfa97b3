import AVFoundation
import Foundation
import Testing

/// Files of sound that an app makes itself, without a run.
@Suite struct `Files of sound` {
  @Test(arguments: [(44_100.0, UInt32(1), 1.0), (8_000, 2, 2.5)])
  func `a silence that an app writes is as long as its frames`(rate: Double, channels: UInt32, seconds: Double) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "silence-\(UUID().uuidString).caf")
    defer { try? FileManager.default.removeItem(at: url) }
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
    let count = AVAudioFrameCount(rate * seconds)
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: count))
    buffer.frameLength = count
    let file = try AVAudioFile(forWriting: url, settings: format.settings)
    try file.write(from: buffer)
    #expect(file.length == AVAudioFramePosition(count))
    #expect(buffer.floatChannelData?[Int(channels) - 1][Int(count) - 1] == 0)
    #expect(try AVAudioPlayer(contentsOf: url).duration == seconds)
    #expect(try AVAudioFile(forReading: url).length == AVAudioFramePosition(44_100 * seconds))
  }

  @Test func `what is no format, no buffer and no file is refused`() throws {
    #expect(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 6) == nil)
    #expect(AVAudioFormat(settings: [AVSampleRateKey: 44_100]) == nil)
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
    #expect(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: .max) == nil)
    let url = FileManager.default.temporaryDirectory.appending(path: "none-\(UUID().uuidString).caf")
    #expect(throws: (any Error).self) { try AVAudioFile(forReading: url) }
    #expect(throws: (any Error).self) { try AVAudioFile(forWriting: url, settings: [:]) }
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1))
    let file = try AVAudioFile(forWriting: url, settings: format.settings)
    try file.write(from: buffer)
    #expect(throws: (any Error).self) { try AVAudioFile(forReading: url).write(from: buffer) }
    try FileManager.default.removeItem(at: url)
  }
}
