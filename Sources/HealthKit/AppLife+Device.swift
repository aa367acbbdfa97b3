import DeviceClient
import Dispatch
import HealthSim
package import WatchConnectivity

/// What the device says of the app's life, and learns of its tasks in the background.
extension AppLife {
  /// What WatchKit and UIKit learn from the device.
  package enum Word: Sendable {
    /// A task's time is nearly over.
    case taskExpires(Int64)
    case memoryWarning
  }

  /// Follows the device: wakes behind the foreground, the user's return, and what it calls the listener with on the main
  /// queue.
  package func followDevice(_ listener: @escaping (Word) -> Void) {
    let listener = Unsent(listener)
    DeviceClient.shared.listen(to: ["life"]) { [self] message in
      switch message.name {
      // At once: the wake itself follows.
      case "life.behind": stayBehind()
      case "life.front": DispatchQueue.main.async { [self] in enterForeground() }
      case "life.expires":
        let number = message.fields.integer("number")
        DispatchQueue.main.async { listener.value(.taskExpires(number)) }
      case "life.memory": DispatchQueue.main.async { listener.value(.memoryWarning) }
      default: break
      }
    }
  }

  /// Has the device count the time of a task in the background; returns its number, which is new.
  package func beginTask() -> Int64 {
    let number = DeviceClient.shared.next()
    DeviceClient.shared.send("life.task", ["number": .integer(number)])
    return number
  }

  package func endTask(_ number: Int64) { DeviceClient.shared.send("life.taskEnd", ["number": .integer(number)]) }
}
