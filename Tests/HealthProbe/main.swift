import HealthKit
import UIKit
import WatchKit
import WristwireSupport

// An app with workouts for the tests: `HealthProbe watch` and `HealthProbe phone`, with acts that are calls of HealthKit.
// It records what happens to it as facts.

let arguments = CommandLine.arguments
if arguments.contains("watch") {
  let app = WatchProbe()
  app.run()
  WKApplication.shared().delegate = app
} else {
  let app = PhoneProbe()
  app.run()
  UIApplication.shared.delegate = app
}
dispatchMain()
