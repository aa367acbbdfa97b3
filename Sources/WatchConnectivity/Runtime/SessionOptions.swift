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
  ///
  /// - Parameter variable: The value of a variable; nil if it is not set.
  init(variable: (_ name: String) -> String?) {
    isPaired = variable("WRISTWIRE_PAIRED") != "0"
    isWatchOnly = variable("WRISTWIRE_WATCHONLY") == "1"
    isComplicationEnabled = variable("WRISTWIRE_COMPLICATION") != "0"
    tellsReactivation = variable("WRISTWIRE_REACTIVATION") != "silent"
    tellsCancellation = ["didFinish", "told"].contains(variable("WRISTWIRE_CANCELLATION"))
    copiesFiles = variable("WRISTWIRE_FILES") == "copy"
    isSupportedWithoutRun = variable("WRISTWIRE_SUPPORTED") == "1"
    logs = variable("WRISTWIRE_WCLOG") != "0"
  }
}
