import Foundation
import Link
import LinkTransport

/// Joins a run, and answers its grants on a thread of its own.
///
/// With the virtual-time library in the process the app follows grants: it runs while one is answered, and at no other
/// time. Without it the app runs freely, and each answer reports what it did since the previous one.
enum ConductorThread {
  /// Starts the thread, which lives as long as the run.
  static func start(_ runtime: SessionRuntime, _ environment: NodeEnvironment, folder: String) {
    // Line buffering, so that a fact in the app's output belongs to its instant.
    setvbuf(stdout, nil, _IOLBF, 0)
    let thread = Thread { run(runtime, environment, folder) }
    thread.name = "WatchConnectivity.conductor"
    thread.stackSize = 8 << 20
    thread.start()
  }

  private static func run(_ runtime: SessionRuntime, _ environment: NodeEnvironment, _ folder: String) {
    let clock = VirtualClock.shared
    do {
      let client = try NodeClient(
        environment, name: "WatchConnectivity", flags: clock == nil ? .freeRunning : .app)
      clock?.keepOutside(client.descriptor)
      let welcome = try client.join()
      do {
        runtime.followsGrants = clock != nil
        let setup = try RuntimeSetup(welcome: welcome, role: environment.role, folder: folder)
        try runtime.begin(setup)
      } catch {
        client.fail("\(error)")
        throw RuntimeError("\(error)")
      }
      var trace = TraceWriter()
      let (begin, beginning) = runtime.condition.withLock { (runtime.now, runtime.beginning) }
      clock?.attach(at: begin)
      _ = try client.runFreely(firstDeadline: begin, beginning: beginning) { (grant, writer) throws(NodeClientError) in
        let answer: SessionRuntime.Answer
        do throws(RuntimeError) {
          if let clock {
            answer = try runtime.settle(grant, clock)
          } else {
            answer = try runtime.answer(grant)
            runtime.handOverActs()
            runtime.handOverDeviceMessages()
          }
        } catch { throw .host(error.description) }
        try SessionRuntime.write(answer, hasAppDeadline: clock != nil, &trace, to: &writer)
      }
    } catch {
      runtime.log("the session cannot work: \(error)")
      runtime.end(failing: true)
      // In virtual time an app without a conductor would wait for its first instant forever.
      if clock != nil { leave(status: 1) }
      return
    }
    runtime.end(failing: false)
    if clock != nil { leave(status: 0) }
    // As the system ends an app: pending callbacks may still run.
    runtime.settle(until: Date(timeIntervalSinceNow: 0.5))
    let unended = runtime.condition.withLock { runtime.callbacks }
    if unended > 0 { runtime.log("the run is over, and \(unended) callbacks have not ended: one blocks the queue") }
    leave(status: 0)
  }

  private static func leave(status: Int32) -> Never {
    fflush(nil)
    // Not `exit`: global objects that the app's other threads still use must not be destroyed.
    _exit(status)
  }
}
