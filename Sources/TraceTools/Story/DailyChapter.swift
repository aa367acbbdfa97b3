import Console
import Link

/// The thread of meals, daily totals and the chat: what the user stores, when posts fail, what the server loses and gets back.
struct DailyChapter: StoryChapter {
  /// When posts began to fail; nil while they succeed.
  private var failingSince: VirtualTime?
  /// When the server lost its days; nil once it has them again.
  private var lostSince: VirtualTime?
  /// When fetches of workouts began to fail; nil while they succeed.
  private var fetchFailingSince: VirtualTime?
  private var hasProfile = false
  /// When the server lost the user's profile; nil once it has it again.
  private var profileLostSince: VirtualTime?
  /// Requests posted since the server lost its days.
  private var posted: Set<Identifier> = []

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    let time = event.time
    switch event.body {
    case .mealLogged(let meal): addMeal(meal, time, into: &lines)
    case .mealEdited(let meal):
      let now = "\(TerminalText.escape(meal.name)), \(meal.calories) kcal"
      lines.add(time, .phone, "the user changes a meal of \(TerminalText.escape(meal.day)): \(now)", .quiet)
    case .mealRemoved(let meal):
      let day = TerminalText.escape(meal.day)
      let what = meal.lost == true ? "a meal of \(day) is lost with the phone" : "the user deletes a meal of \(day)"
      lines.add(time, .phone, what, .quiet)
    case .chatWritten(let message):
      // The history is stored at the start.
      guard time > .start else { return }
      lines.add(time, .phone, "the user writes in the chat: \(TerminalText.escape(message.text))", .quiet)
    case .profileExtracted:
      if !hasProfile, profileLostSince == nil {
        lines.add(time, .edge, "extracts the user's profile from the chat", .quiet)
      }
      hasProfile = true
    case .daysPosted(let post): if lostSince != nil { posted.insert(post.id) }
    case .daysSynced(let answer): addSync(answer, time, into: &lines)
    case .syncFailed(let failure):
      guard failingSince == nil else { return }
      failingSince = time
      let why = TerminalText.escape(failure.why)
      lines.add(time, .phone, "cannot post the daily totals: \(why); they stay pending", .trouble)
    case .serverRestarted(let restart): addRestart(restart.cause, time, into: &lines)
    case .workoutsFetched(let fetch): addFetch(fetch, time, into: &lines)
    case .fetchFailed(let failure):
      guard fetchFailingSince == nil else { return }
      fetchFailingSince = time
      let why = TerminalText.escape(failure.why)
      lines.add(time, .edge, "cannot fetch workouts from the external service: \(why)", .trouble)
    case .fileDamaged(let damage):
      let file = TerminalText.escape(damage.file)
      if file == "context_store.json" { loseDays(at: time) }
      if file == "profile.json" { loseProfile(at: time) }
      lines.add(time, .edge, "cannot read \(file) and starts without it", .trouble)
    default: break
    }
  }

  private func addMeal(_ meal: MealLogged, _ time: VirtualTime, into lines: inout [StoryLine]) {
    // Meals from before the run are not reported.
    guard meal.eatenAt >= 0 else { return }
    var text = "stores a meal: \(TerminalText.escape(meal.name)), \(meal.calories) kcal"
    let ago = time - VirtualTime(nanoseconds: meal.eatenAt)
    if ago >= .seconds(60) { text += ", eaten \(StoryText.length(ago)) ago" }
    lines.add(time, .phone, text, .quiet)
  }

  private mutating func addSync(_ answer: DaysSynced, _ time: VirtualTime, into lines: inout [StoryLine]) {
    guard answer.pending == 0 else { return }
    if let since = profileLostSince, hasProfile, answer.chatPending == 0 {
      profileLostSince = nil
      let after = StoryText.length(time - since)
      lines.add(time, .edge, "has the user's profile again, \(after) after the loss", .relief)
    }
    if let since = lostSince, posted.contains(answer.id) {
      lostSince = nil
      posted = []
      let after = StoryText.length(time - since)
      lines.add(time, .edge, "has every day again, \(after) after the loss", .relief)
    }
    guard let since = failingSince else { return }
    failingSince = nil
    // A single failure that the next attempt repairs needs no second line.
    guard time - since >= .seconds(60) else { return }
    lines.add(time, .phone, "posts the daily totals again, after \(StoryText.length(time - since))", .relief)
  }

  private mutating func addFetch(_ fetch: WorkoutsFetched, _ time: VirtualTime, into lines: inout [StoryLine]) {
    let workouts = StoryText.count(Int(clamping: fetch.workouts), "workout")
    if let since = fetchFailingSince {
      fetchFailingSince = nil
      let after = StoryText.length(time - since)
      return lines.add(time, .edge, "fetches \(workouts) again, after \(after)", .relief)
    }
    // Later fetches bring a workout at most.
    guard fetch.since == nil else { return }
    lines.add(time, .edge, "fetches all workouts from the external service: \(workouts)", .quiet)
  }

  private mutating func addRestart(_ cause: String, _ time: VirtualTime, into lines: inout [StoryLine]) {
    switch cause {
    case "wipe":
      loseDays(at: time)
      loseProfile(at: time)
      lines.add(time, .edge, "the server loses all its files and starts again", .trouble)
    case "powerLoss": lines.add(time, .edge, "the server loses power: half of a file is missing", .trouble)
    default: lines.add(time, .edge, "the server restarts", .quiet)
    }
  }

  private mutating func loseDays(at time: VirtualTime) {
    lostSince = time
    posted = []
  }

  private mutating func loseProfile(at time: VirtualTime) {
    guard hasProfile else { return }
    hasProfile = false
    profileLostSince = profileLostSince ?? time
  }
}
