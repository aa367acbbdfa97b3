import DeviceClient
import Dispatch
public import Foundation
import HealthSim

/// What a player tells, on the main queue.
public protocol AVAudioPlayerDelegate: AnyObject {
  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
  func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
}

/// The methods that a delegate may leave out.
extension AVAudioPlayerDelegate {
  public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
  public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
}

/// Plays a file that an ``AVAudioRecorder`` has written, or a WAV file; of others the length is not known.
///
/// An interruption pauses it, without a call of its delegate, as on a device: the app must begin again.
public final class AVAudioPlayer: NSObject, @unchecked Sendable {
  public let url: URL?
  public let data: Data?
  /// Seconds.
  public let duration: TimeInterval
  private let lock = NSLock()
  private weak var listener: (any AVAudioPlayerDelegate)?
  private var begun: Date?
  private var done: TimeInterval = 0
  private var turn = 0
  private var loops = 0

  public convenience init(contentsOf url: URL) throws {
    try self.init(url, try? Data(contentsOf: url), isFile: true)
  }

  public convenience init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
    try self.init(contentsOf: url)
  }

  public convenience init(data: Data) throws { try self.init(nil, data, isFile: false) }

  public convenience init(data: Data, fileTypeHint utiString: String?) throws { try self.init(data: data) }

  private init(_ url: URL?, _ bytes: Data?, isFile: Bool) throws {
    guard let seconds = bytes.flatMap({ VoiceFile($0)?.seconds ?? VoiceFile.secondsOfWave($0) }) else {
      // A file that is not there is an error on a device, too.
      if bytes != nil {
        DeviceClient.reportMissing("avFoundation", "AVAudioPlayer of sound that no AVAudioRecorder has written")
      }
      throw NSError(domain: "NSOSStatusErrorDomain", code: bytes == nil ? -43 : 1_954_115_647, userInfo: nil)
    }
    self.url = url
    data = isFile ? nil : bytes
    duration = seconds
    super.init()
    AVAudioSession.sharedInstance().observeInterruptions { [weak self] in self?.pause() }
  }

  /// A weak reference.
  public weak var delegate: (any AVAudioPlayerDelegate)? {
    get { lock.withLock { listener } }
    set { lock.withLock { listener = newValue } }
  }
  public var isPlaying: Bool { lock.withLock { begun != nil } }
  public var currentTime: TimeInterval {
    get { lock.withLock { done + (begun.map { Date().timeIntervalSince($0) } ?? 0) } }
    set {
      let isPlaying = isPlaying
      pause()
      lock.withLock { done = min(max(0, newValue), duration) }
      if isPlaying { play() }
    }
  }
  public var volume: Float = 1
  public var pan: Float = 0
  /// How often it is repeated; below 0 for ever.
  public var numberOfLoops: Int {
    get { lock.withLock { loops } }
    set { lock.withLock { loops = newValue } }
  }

  public func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) { self.volume = volume }

  @discardableResult
  public func prepareToPlay() -> Bool { true }

  /// Begins or goes on.
  ///
  /// - Returns: False during a call.
  @discardableResult
  public func play() -> Bool {
    guard !AVAudioSession.sharedInstance().isInterrupted else { return false }
    DeviceClient.shared.send("audio.active", ["isOn": .flag(true)])
    let (rest, now) = lock.withLock { () -> (TimeInterval, Int) in
      begun = Date()
      turn += 1
      return (duration - done, turn)
    }
    DispatchQueue.main.asyncAfter(deadline: .now() + max(0, rest)) { [weak self] in self?.finish(now) }
    return true
  }

  private func finish(_ played: Int) {
    let repeats = lock.withLock { () -> Bool? in
      guard turn == played else { return nil }
      (begun, done) = (nil, 0)
      turn += 1
      // A sound without a length would be repeated for ever in one instant.
      guard loops != 0, duration > 0 else { return false }
      if loops > 0 { loops -= 1 }
      return true
    }
    guard let repeats else { return }
    if repeats { _ = play() } else { delegate?.audioPlayerDidFinishPlaying(self, successfully: true) }
  }

  public func pause() {
    lock.withLock {
      if let begun { done += Date().timeIntervalSince(begun) }
      begun = nil
      turn += 1
    }
  }

  /// Stops where it is: the next ``play()`` goes on from there.
  public func stop() { pause() }
}
