import Foundation
import Link
import LinkTransport

/// Joins a run as a free-running node, and answers its grants on a thread of its own.
enum ConductorThread {
  /// Begins; the thread lives as long as the run.
  static func start(_ runtime: SessionRuntime, _ environment: NodeEnvironment, folder: String) {
    let thread = Thread { run(runtime, environment, folder) }
    thread.name = "WatchConnectivity.conductor"
    thread.stackSize = 8 << 20
    thread.start()
  }

  private static func run(_ runtime: SessionRuntime, _ environment: NodeEnvironment, _ folder: String) {
    do {
      let client = try NodeClient(environment, name: "WatchConnectivity", flags: .freeRunning)
      let welcome = try client.join()
      do {
        let setup = try RuntimeSetup(welcome: welcome, role: environment.role, folder: folder)
        try runtime.begin(setup)
      } catch {
        client.fail("\(error)")
        throw RuntimeError("\(error)")
      }
      var trace = TraceWriter()
      let begin = runtime.condition.withLock { runtime.now }
      _ = try client.runFreely(firstDeadline: begin) { (grant, writer) throws(NodeClientError) in
        let answer: SessionRuntime.Answer
        do throws(RuntimeError) { answer = try runtime.answer(grant) } catch { throw .host(error.description) }
        try SessionRuntime.write(answer, &trace, to: &writer)
      }
    } catch {
      runtime.log("the session cannot work: \(error)")
      runtime.end(failing: true)
      return
    }
    runtime.end(failing: false)
    // As the system ends an app: what it was told already it may still take.
    runtime.settle(until: Date(timeIntervalSinceNow: 0.5))
    let unended = runtime.condition.withLock { runtime.callbacks }
    if unended > 0 { runtime.log("the run is over, and \(unended) callbacks have not ended: one blocks the queue") }
    fflush(nil)
    // Not `exit`: what the app's other threads still use must not be taken down before them.
    _exit(0)
  }
}
