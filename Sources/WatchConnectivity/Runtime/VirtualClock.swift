import Foundation
import Link

/// The preloaded library that runs this process in virtual time (docs/internals/virtual-time.md).
///
/// Nothing links the library, so its functions are looked up by name. `advance`, `settle` and the setters are for the
/// conductor's thread only.
struct VirtualClock {
  private let attachFunction: @convention(c) (Int64) -> Void
  private let holdFunction: @convention(c) () -> Void
  private let keepOutsideFunction: @convention(c) (Int32) -> Void
  private let advanceFunction: @convention(c) (Int64) -> Void
  private let settleFunction: @convention(c) (Int32) -> Int64
  private let setAsleepFunction: @convention(c) (Int32) -> Void
  private let setSkewFunction: @convention(c) (Int64) -> Void
  private let takeFunction: ForeignFunctions.FindingReader

  /// A finding of the library: a limit, or something it cannot control.
  struct Finding {
    var kind: String
    var text: String
  }

  /// The version of the library's interface that this file is written for.
  private static let version: Int32 = 1

  /// The library in this process; nil if none is preloaded, or if nothing controls it.
  static let shared: VirtualClock? = {
    guard getenv("WRISTWIRE_VT_CONTROLLED") != nil else { return nil }
    return VirtualClock()
  }()

  private init?() {
    let function = ForeignFunctions()
    guard let version = function("wwvt_version", as: (@convention(c) () -> Int32).self), version() == Self.version,
      let attach = function("wwvt_attach", as: (@convention(c) (Int64) -> Void).self),
      let hold = function("wwvt_hold", as: (@convention(c) () -> Void).self),
      let keepOutside = function("wwvt_keep_outside", as: (@convention(c) (Int32) -> Void).self),
      let advance = function("wwvt_advance", as: (@convention(c) (Int64) -> Void).self),
      let settle = function("wwvt_settle", as: (@convention(c) (Int32) -> Int64).self),
      let setAsleep = function("wwvt_set_asleep", as: (@convention(c) (Int32) -> Void).self),
      let setSkew = function("wwvt_set_wall_skew", as: (@convention(c) (Int64) -> Void).self),
      let take = function("wwvt_take_finding", as: ForeignFunctions.FindingReader.self)
    else { return nil }
    attachFunction = attach
    holdFunction = hold
    keepOutsideFunction = keepOutside
    advanceFunction = advance
    settleFunction = settle
    setAsleepFunction = setAsleep
    setSkewFunction = setSkew
    takeFunction = take
  }

  /// Makes the calling thread the controller of the process's time.
  func attach(at instant: VirtualTime) { attachFunction(instant.nanoseconds) }

  /// Waits until a controller has attached and settles: for the main thread, before `main`.
  func holdMainThread() { holdFunction() }

  /// Leaves a descriptor to the kernel: the conductor's socket, on which the whole process waits.
  func keepOutside(_ descriptor: Int32) { keepOutsideFunction(descriptor) }

  /// Sets the clocks, never back; no timer fires yet.
  func advance(to instant: VirtualTime) { advanceFunction(instant.nanoseconds) }

  /// Runs the app until every thread of it waits.
  ///
  /// - Parameter firesTimers: Whether due timers and sleeps end.
  /// - Returns: The app's earliest deadline; nil if there is none, and while the app is suspended.
  func settle(firesTimers: Bool) -> VirtualTime? {
    let next = settleFunction(firesTimers ? 1 : 0)
    return next < 0 ? nil : VirtualTime(nanoseconds: next)
  }

  /// Suspends the app's threads and timers, or resumes them; the clocks continue.
  func setAsleep(_ isAsleep: Bool) { setAsleepFunction(isAsleep ? 1 : 0) }

  /// Sets how far the date is ahead of the run.
  func setSkew(_ span: VirtualTime.Span) { setSkewFunction(span.nanoseconds) }

  /// Removes and returns the oldest finding, if any.
  func takeFinding() -> Finding? {
    var instant: Int64 = 0
    var kind = [CChar](repeating: 0, count: 32)
    var text = [CChar](repeating: 0, count: 1024)
    guard takeFunction(&instant, &kind, kind.count, &text, text.count) == 1 else { return nil }
    return Finding(kind: Self.string(kind), text: Self.string(text))
  }

  private static func string(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
