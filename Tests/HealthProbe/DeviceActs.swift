import AVFoundation
import ActivityKit
import CoreLocation
import CoreMotion
import EventKit
import Speech
import UserNotifications
import WidgetKit
import WristwireSupport

/// What both probes do with the services of their device, as acts: each records what comes of it.
final class DeviceActs: NSObject, @unchecked Sendable {
  static let shared = DeviceActs()
  nonisolated(unsafe) var manager: CLLocationManager?
  let pedometer = CMPedometer()
  let activities = CMMotionActivityManager()
  let speaker = AVSpeechSynthesizer()
  nonisolated(unsafe) var recorder: AVAudioRecorder?
  nonisolated(unsafe) var live: Activity<RunAttributes>?
  let events = EKEventStore()

  func register() {
    speaker.delegate = self
    UNUserNotificationCenter.current().delegate = self
    registerPlace()
    registerSound()
    registerNotices()
    registerCalendar()
    _ = NotificationCenter.default.addObserver(
      forName: AVAudioSession.interruptionNotification, object: nil, queue: .main
    ) { note in
      let type = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt ?? 9
      let options = note.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt ?? 0
      Simulation.record("interruption", ["type": Int(type), "resumes": options == 1])
    }
  }

  // MARK: Place and motion

  private func makeManager() -> CLLocationManager {
    if let manager { return manager }
    let made = CLLocationManager()
    made.delegate = self
    manager = made
    return made
  }

  private func registerPlace() {
    Simulation.onAct("askPlace") { act in
      if act.string("for") == "always" {
        self.makeManager().requestAlwaysAuthorization()
      } else {
        self.makeManager().requestWhenInUseAuthorization()
      }
    }
    Simulation.onAct("follow") { act in
      self.makeManager().distanceFilter = act.number("filter") ?? kCLDistanceFilterNone
      self.makeManager().startUpdatingLocation()
    }
    Simulation.onAct("unfollow") { _ in self.makeManager().stopUpdatingLocation() }
    Simulation.onAct("place") { _ in self.makeManager().requestLocation() }
    Simulation.onAct("heading") { _ in self.makeManager().startUpdatingHeading() }
    Simulation.onAct("significant") { _ in self.makeManager().startMonitoringSignificantLocationChanges() }
    Simulation.onAct("threadPlace") { _ in
      Thread.detachNewThread {
        let manager = CLLocationManager()
        let delegate = ThreadDelegate(Thread.current)
        manager.delegate = delegate
        manager.startUpdatingLocation()
        RunLoop.current.run(until: Date(timeIntervalSinceNow: 20))
        withExtendedLifetime(delegate) {}
      }
    }
    Simulation.onAct("livePlaces") { _ in
      Task {
        var count = 0
        for try await update in CLLocationUpdate.liveUpdates() where update.location != nil {
          count += 1
          if count == 3 { break }
        }
        Simulation.record("livePlaces", ["count": count])
      }
    }
    Simulation.onAct("steps") { _ in
      let begin = Date()
      self.pedometer.startUpdates(from: begin) { data, error in
        Simulation.record(
          "steps",
          [
            "steps": data?.numberOfSteps.intValue ?? -1, "metres": data?.distance?.doubleValue ?? -1,
            "pace": data?.currentPace?.doubleValue ?? 0, "code": code(error),
          ])
      }
    }
    Simulation.onAct("stepsBefore") { act in
      let seconds = act.number("seconds") ?? 60
      self.pedometer.queryPedometerData(from: Date(timeIntervalSinceNow: -seconds), to: Date()) { data, error in
        Simulation.record("stepsBefore", ["steps": data?.numberOfSteps.intValue ?? -1, "code": code(error)])
      }
    }
    Simulation.onAct("activity") { _ in
      self.activities.startActivityUpdates(to: .main) { activity in
        let what = activity?.running == true ? "running" : activity?.stationary == true ? "stationary" : "other"
        Simulation.record("activity", ["is": what])
      }
    }
  }

  // MARK: Sound

  private func registerSound() {
    Simulation.onAct("category") { act in
      let ducks = act.string("option") == "duck"
      try? AVAudioSession.sharedInstance().setCategory(
        .playAndRecord, mode: .spokenAudio, options: ducks ? [.duckOthers] : [.mixWithOthers])
    }
    Simulation.onAct("session") { act in
      do {
        let notifies = act.string("notifies") == "yes"
        try AVAudioSession.sharedInstance().setActive(
          act.string("is") != "off", options: notifies ? .notifyOthersOnDeactivation : [])
        Simulation.record("session", ["code": 0])
      } catch { Simulation.record("session", ["code": code(error)]) }
    }
    Simulation.onAct("speak") { act in
      self.speaker.speak(AVSpeechUtterance(string: act.string("text") ?? "Two kilometres done, keep going."))
      Simulation.record("speakCalled", ["speaking": self.speaker.isSpeaking])
    }
    Simulation.onAct("hush") { _ in self.speaker.stopSpeaking(at: .immediate) }
    Simulation.onAct("goOn") { _ in self.speaker.continueSpeaking() }
    Simulation.onAct("askVoice") { _ in
      AVAudioSession.sharedInstance().requestRecordPermission { isAllowed in
        SFSpeechRecognizer.requestAuthorization { status in
          Simulation.record("voiceAllowed", ["microphone": isAllowed, "speech": status.rawValue])
        }
      }
    }
    Simulation.onAct("recordVoice") { act in
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("note.m4a")
      let settings: [String: Any] = [
        AVFormatIDKey: Int(kAudioFormatMPEG4AAC), AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
      ]
      self.recorder = try? AVAudioRecorder(url: url, settings: settings)
      self.recorder?.delegate = self
      let isOn = self.recorder?.record(forDuration: act.number("seconds") ?? 30) ?? false
      Simulation.record("recording", ["on": isOn])
    }
    Simulation.onAct("stopVoice") { _ in self.recorder?.stop() }
  }

  // MARK: Notifications, activities, widgets

  private func registerNotices() {
    Simulation.onAct("askNotices") { _ in
      UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound]) { isAllowed, error in
        Simulation.record("noticesAllowed", ["allowed": isAllowed, "code": code(error)])
      }
    }
    Simulation.onAct("notify") { act in
      let content = UNMutableNotificationContent()
      content.title = act.string("title") ?? "Run"
      content.userInfo = ["run": 7]
      let trigger = UNTimeIntervalNotificationTrigger(timeInterval: act.number("after") ?? 5, repeats: false)
      let request = UNNotificationRequest(identifier: act.string("id") ?? "one", content: content, trigger: trigger)
      UNUserNotificationCenter.current().add(request) { error in
        Simulation.record("notified", ["code": code(error)])
      }
    }
    Simulation.onAct("pendingNotices") { _ in
      UNUserNotificationCenter.current().getPendingNotificationRequests { requests in
        UNUserNotificationCenter.current().getDeliveredNotifications { delivered in
          let run = requests.first?.content.userInfo["run"] as? Int ?? -1
          Simulation.record("notices", ["pending": requests.count, "delivered": delivered.count, "run": run])
        }
      }
    }
    Simulation.onAct("activityBegin") { act in
      do {
        let content = ActivityContent(state: RunAttributes.ContentState(metres: 0), staleDate: nil)
        self.live = try Activity.request(
          attributes: RunAttributes(name: act.string("name") ?? "Run"), content: content)
        Simulation.record("activityBegun", ["all": Activity<RunAttributes>.activities.count, "error": ""])
      } catch { Simulation.record("activityBegun", ["all": -1, "error": "\(error)"]) }
    }
    Simulation.onAct("activityUpdate") { act in
      Task {
        let content = ActivityContent(
          state: RunAttributes.ContentState(metres: act.integer("metres") ?? 100),
          staleDate: Date(timeIntervalSinceNow: 10))
        await self.live?.update(content)
      }
    }
    Simulation.onAct("activityFind") { _ in
      let found = Activity<RunAttributes>.activities.first
      Simulation.record(
        "activityFound", ["metres": found?.content.state.metres ?? -1, "name": found?.attributes.name ?? ""])
      self.live = found
    }
    Simulation.onAct("activityEnd") { _ in Task { await self.live?.end(dismissalPolicy: .immediate) } }
    Simulation.onAct("widget") { _ in WidgetCenter.shared.reloadTimelines(ofKind: "Pace \"now\"") }
  }

  // MARK: Calendar

  private func registerCalendar() {
    Simulation.onAct("askCalendar") { act in
      let done: @Sendable (Bool, (any Error)?) -> Void = { isAllowed, _ in
        Simulation.record(
          "calendarAllowed", ["allowed": isAllowed, "status": EKEventStore.authorizationStatus(for: .event).rawValue])
      }
      if act.string("for") == "writing" {
        self.events.requestWriteOnlyAccessToEvents(completion: done)
      } else {
        self.events.requestFullAccessToEvents(completion: done)
      }
    }
    Simulation.onAct("askReminders") { _ in
      self.events.requestFullAccessToReminders { isAllowed, _ in
        Simulation.record("remindersAllowed", ["allowed": isAllowed])
      }
    }
    Simulation.onAct("appointments") { _ in
      let predicate = self.events.predicateForEvents(
        withStart: Date(timeIntervalSinceNow: -86_400), end: Date(timeIntervalSinceNow: 86_400), calendars: nil)
      let found = self.events.events(matching: predicate)
      Simulation.record(
        "appointments",
        [
          "count": found.count, "first": found.first?.title ?? "", "calendar": found.first?.calendar?.title ?? "",
          "minutes": (found.first?.endDate.timeIntervalSince(found[0].startDate) ?? 0) / 60,
        ])
    }
    Simulation.onAct("reminders") { _ in
      self.events.fetchReminders(matching: self.events.predicateForReminders(in: nil)) { found in
        Simulation.record(
          "reminders", ["count": found?.count ?? -1, "done": found?.filter(\.isCompleted).count ?? -1])
      }
    }
    Simulation.onAct("appoint") { act in
      let event = EKEvent(eventStore: self.events)
      event.title = act.string("title") ?? "Long run"
      event.startDate = Date(timeIntervalSinceNow: 3_600)
      event.endDate = Date(timeIntervalSinceNow: act.string("way") == "back" ? 0 : 7_200)
      event.calendar = self.events.defaultCalendarForNewEvents
      do {
        try self.events.save(event, span: .thisEvent)
        Simulation.record("appointed", ["code": -1])
      } catch { Simulation.record("appointed", ["code": code(error)]) }
    }
  }
}

/// A Live Activity of a run.
struct RunAttributes: ActivityAttributes {
  struct ContentState: Codable, Hashable { var metres: Int }
  var name: String
}

/// Records where a manager's delegate is called.
final class ThreadDelegate: NSObject, CLLocationManagerDelegate {
  private let thread: Thread
  init(_ thread: Thread) { self.thread = thread }
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    Simulation.record("threadPlace", ["own": Thread.current == thread])
    manager.stopUpdatingLocation()
  }
}

extension DeviceActs: CLLocationManagerDelegate {
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    guard let last = locations.last else { return }
    Simulation.record(
      "place",
      [
        "latitude": last.coordinate.latitude, "longitude": last.coordinate.longitude, "speed": last.speed,
        "accuracy": last.horizontalAccuracy, "course": last.course,
      ])
  }
  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
    Simulation.record("heading", ["degrees": newHeading.magneticHeading, "true": newHeading.trueHeading])
  }
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    Simulation.record("placeFailed", ["code": code(error)])
  }
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    Simulation.record("placeAllowed", ["status": Int(manager.authorizationStatus.rawValue)])
  }
}

extension DeviceActs: AVSpeechSynthesizerDelegate {
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didStart utterance: AVSpeechUtterance) {
    Simulation.record("speech", ["is": "started"])
  }
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didFinish utterance: AVSpeechUtterance) {
    Simulation.record("speech", ["is": "finished"])
  }
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didPause utterance: AVSpeechUtterance) {
    Simulation.record("speech", ["is": "paused"])
  }
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didContinue utterance: AVSpeechUtterance) {
    Simulation.record("speech", ["is": "continued"])
  }
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didCancel utterance: AVSpeechUtterance) {
    Simulation.record("speech", ["is": "cancelled"])
  }
  func speechSynthesizer(
    _ synthesizer: AVSpeechSynthesizer, willSpeakRangeOfSpeechString characterRange: NSRange,
    utterance: AVSpeechUtterance
  ) {
    Simulation.record("word", ["is": (utterance.speechString as NSString).substring(with: characterRange)])
  }
}

extension DeviceActs: AVAudioRecorderDelegate {
  func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
    let bytes = (try? FileManager.default.attributesOfItem(atPath: recorder.url.path))?[.size] as? Int ?? -1
    let seconds = (try? AVAudioPlayer(contentsOf: recorder.url))?.duration ?? -1
    Simulation.record("recorded", ["bytes": bytes, "seconds": seconds])
    SFSpeechRecognizer()?.recognitionTask(with: SFSpeechURLRecognitionRequest(url: recorder.url)) { result, error in
      Simulation.record(
        "understood",
        [
          "text": result?.bestTranscription.formattedString ?? "", "final": result?.isFinal ?? false,
          "code": code(error),
        ])
    }
  }
}

extension DeviceActs: UNUserNotificationCenterDelegate {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    Simulation.record("willPresent", ["title": notification.request.content.title])
    completionHandler([.banner])
  }
}
