import Foundation

/// Behaviour of the framework that is undocumented or device-dependent, chosen by environment variables.
struct SessionOptions: Sendable, Equatable {
  /// Whether the phone is paired with a watch.
  var isPaired = true
  /// Whether the watch's app has no counterpart for the phone.
  var isWatchOnly = false
  /// Whether the app's complication is on the active face.
  var isComplicationEnabled = true
  /// Whether `activate()` while activated calls the delegate again.
  var tellsReactivation = true
  /// Whether a cancelled transfer ends with `didFinish` and an error.
  var tellsCancellation = false
  /// Whether a sent file is copied at the call, instead of being read in place until the transfer ends.
  var copiesFiles = false
  /// Whether sessions are supported without a run, for an app's own unit tests: as on a phone without a watch.
  var isSupportedWithoutRun = false
  /// Whether the app's mistakes are logged on standard error.
  var logs = true

  init() {}

  /// Reads the environment variables.
  init(environment: [String: String]) {
    isPaired = environment["WRISTWIRE_PAIRED"] != "0"
    isWatchOnly = environment["WRISTWIRE_WATCHONLY"] == "1"
    isComplicationEnabled = environment["WRISTWIRE_COMPLICATION"] != "0"
    tellsReactivation = environment["WRISTWIRE_REACTIVATION"] != "silent"
    tellsCancellation = ["didFinish", "told"].contains(environment["WRISTWIRE_CANCELLATION"])
    copiesFiles = environment["WRISTWIRE_FILES"] == "copy"
    isSupportedWithoutRun = environment["WRISTWIRE_SUPPORTED"] == "1"
    logs = environment["WRISTWIRE_WCLOG"] != "0"
  }
}
