import CVirtualTimeProbe
import Foundation

/// A controller and an app in one process: what a runner's session does with `VirtualTime.h`.
enum Controlled {
  private static func find(_ name: String) -> UnsafeMutableRawPointer {
    guard let address = dlsym(nil, name) else { fatalError("\(name) is not there: not preloaded") }
    return address
  }
  private typealias Setter = @convention(c) (Int64) -> Void
  nonisolated(unsafe) private static let attach = unsafeBitCast(find("wwvt_attach"), to: Setter.self)
  nonisolated(unsafe) private static let advanceTo = unsafeBitCast(find("wwvt_advance"), to: Setter.self)
  nonisolated(unsafe) private static let setSkew = unsafeBitCast(find("wwvt_set_wall_skew"), to: Setter.self)
  nonisolated(unsafe) private static let hold = unsafeBitCast(find("wwvt_hold"), to: (@convention(c) () -> Void).self)
  nonisolated(unsafe) private static let settleApp = unsafeBitCast(
    find("wwvt_settle"), to: (@convention(c) (Int32) -> Int64).self)
  nonisolated(unsafe) private static let setAsleep = unsafeBitCast(
    find("wwvt_set_asleep"), to: (@convention(c) (Int32) -> Void).self)
  nonisolated(unsafe) private static let keepOutside = unsafeBitCast(
    find("wwvt_keep_outside"), to: (@convention(c) (Int32) -> Void).self)
  nonisolated(unsafe) private static let takeFinding = unsafeBitCast(
    find("wwvt_take_finding"),
    to: (@convention(c) (
      UnsafeMutablePointer<Int64>, UnsafeMutablePointer<CChar>, Int, UnsafeMutablePointer<CChar>, Int
    )
      -> Int32).self)

  private static func advance(_ seconds: Double) { advanceTo(Int64(seconds * 1e9)) }

  private static func settle(_ fires: Bool) -> String {
    let deadline = settleApp(fires ? 1 : 0)
    return deadline < 0 ? "never" : String(format: "%.3f", Double(deadline) / 1e9)
  }

  static func run() {
    Thread.detachNewThread { controller() }
    hold()
    Report.say("app starts at \(Report.began.timeIntervalSince1970)")
    Task.detached {
      for index in 1... {
        try? await Task.sleep(for: .seconds(10), tolerance: .zero)
        Report.say("app task \(index)")
      }
    }
    let timer = Timer(timeInterval: 25, repeats: true) { _ in Report.say("app timer") }
    RunLoop.main.add(timer, forMode: .common)
    RunLoop.main.run()
  }

  private static func controller() {
    attach(5_000_000_000)
    print("controller: next", settle(false))
    print("controller: next", settle(true))
    for instant in [7.5, 15, 25, 30] {
      advance(instant)
      print("controller: at \(instant), next", settle(true))
    }
    // A wait for the conductor stops the process: no timer runs meanwhile.
    keepOutside(0)
    print("controller: polls \(probe_poll(0, 60))")
    var byte: UInt8 = 0
    print("controller: reads \(read(0, &byte, 1)) byte")
    // Inputs first, and the timers of the same instant only when they may fire.
    advance(35)
    DispatchQueue.global().async { Report.say("app input") }
    print("controller: without timers, next", settle(false))
    print("controller: with timers, next", settle(true))
    setAsleep(1)
    advance(100)
    DispatchQueue.global().async { Report.say("app input during sleep") }
    print("controller: asleep, next", settle(true))
    setAsleep(0)
    print("controller: awake, next", settle(true))
    let before = ContinuousClock.now
    setSkew(3_600_000_000_000)
    print("controller: date \(Date().timeIntervalSince(Report.began)), moved \(ContinuousClock.now - before)")
    setSkew(0)
    findDeadlock()
    _exit(0)
  }

  private static func string(_ text: [CChar]) -> String {
    String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func findDeadlock() {
    let lock = NSLock()
    Thread.detachNewThread {
      lock.lock()
      lock.lock()
    }
    print("controller: next", settle(true))
    var instant: Int64 = 0
    var kind = [CChar](repeating: 0, count: 24)
    var text = [CChar](repeating: 0, count: 600)
    while takeFinding(&instant, &kind, kind.count, &text, text.count) == 1 {
      let first = string(text).split(separator: "\n").first ?? ""
      print("controller: finding \(string(kind)) at \(Double(instant) / 1e9): \(first)")
    }
  }
}
