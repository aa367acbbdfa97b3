package import Link

/// Plants in what the phone makes of its athlete's days.
extension Plant {
  package static let swimsAsRuns = Plant(
    66, "swims-as-runs", in: [.phone],
    happened:
      "The list of runs showed a swim of 400 m as a run of 20 minutes a kilometre.",
    wrong:
      "The list has every workout of the health store.",
    right:
      "It has runs; other disciplines are in the training history.",
    caughtBy: ["truth-results"], sweptIn: "athlete")

  package static let allDayMeetings = Plant(
    67, "all-day-meetings", in: [.phone],
    happened:
      "A birthday in the calendar was a meeting of half an hour.",
    wrong:
      "An entry for the whole day counts as a meeting.",
    right:
      "It is no meeting.",
    caughtBy: ["truth-days"], sweptIn: "athlete")

  package static let openTasksDone = Plant(
    68, "open-tasks-done", in: [.phone],
    happened:
      "The app congratulated its user on tasks that were still open.",
    wrong:
      "A task counts as done on the day on which it is due.",
    right:
      "Only a completed task counts.",
    caughtBy: ["truth-days"], sweptIn: "athlete")

  package static let devicesAdded = Plant(
    69, "devices-added", in: [.phone],
    happened:
      "With the phone in the pocket, a run burned twice the energy: that of the watch and that of the phone.",
    wrong:
      "Quantities of all devices are added up.",
    right:
      "What several devices recorded at one time counts once, for the watch.",
    caughtBy: ["truth-days", "health-agrees"], sweptIn: "athlete")

  package static let awakeAsleep = Plant(
    73, "awake-asleep", in: [.phone],
    happened:
      "A night of six hours with an hour awake in it was a night of seven.",
    wrong:
      "The time awake in bed counts as sleep.",
    right:
      "Only the stages of sleep count.",
    caughtBy: ["truth-days", "health-agrees", "ingestion-whole-nights"], sweptIn: "athlete")

  package static let offsetOfToday = Plant(
    74, "offset-of-today", in: [.phone],
    happened:
      "After the change to summer time, and after each flight, the days before were in the store twice.",
    wrong:
      "A day begins where the zone of today would have begun it.",
    right:
      "It begins by what local time added to UTC then, and keeps its row.",
    caughtBy: ["ingestion-upserts"], sweptIn: "athlete")

  package static let deniedHistory = Plant(
    75, "denied-history", in: [.phone],
    happened:
      "A user who allowed the calendar a day after the first start never got the weeks before.",
    wrong:
      "Only the first sync looks back, whatever it was refused.",
    right:
      "The first sync that a type is given fetches its whole history.",
    caughtBy: ["truth-days"], sweptIn: "athlete")

  package static let dayReadOnce = Plant(
    76, "day-read-once", in: [.phone],
    happened:
      "The last hours of each day were missing in its totals, and each night.",
    wrong:
      "The totals of a day are not computed again once it is over.",
    right:
      "Each sync reads yesterday, too.",
    caughtBy: ["truth-totals"], sweptIn: "athlete")

  package static let oldMealsLeft = Plant(
    77, "old-meals-left", in: [.phone],
    happened:
      "A dinner that was entered two days later never reached the server.",
    wrong:
      "Only the totals of days that are read again count their meals.",
    right:
      "Whatever day's meals change, its totals do.",
    caughtBy: ["truth-totals", "sync-complete"], sweptIn: "athlete")

  package static let mealWhenEntered = Plant(
    80, "meal-when-entered", in: [.phone],
    happened:
      "A late dinner, entered the next morning, was a breakfast.",
    wrong:
      "A meal counts on the day on which it is entered.",
    right:
      "It counts on the local day on which it was eaten.",
    caughtBy: ["truth-totals"], sweptIn: "athlete")

  package static let scoreClock = Plant(
    81, "score-clock", in: [.phone],
    happened:
      "A score that was entered while the phone's clock was an hour ahead could not be corrected for an hour.",
    wrong:
      "The score with the latest date by the phone's clock counts.",
    right:
      "The last one that was entered counts, whatever the clock said.",
    caughtBy: ["truth-results", "stores-converge"], sweptIn: "athlete")

  package static let partialScores = Plant(
    82, "partial-scores", in: [.phone],
    happened:
      "For most of an hour a tablet showed half the rings of a competition.",
    wrong:
      "A phone computes a score from the shots that have arrived.",
    right:
      "It shows the stored score until all shots are there.",
    caughtBy: ["truth-results", "score-follows-session"], sweptIn: "athlete")

  package static let workoutsTwice = Plant(
    83, "workouts-twice", in: [.phone],
    happened:
      "Each time the health store said something new, every workout of the day burned its energy again.",
    wrong:
      "What the store lists is added to what is known.",
    right:
      "It replaces what is known.",
    caughtBy: ["truth-totals"], sweptIn: "athlete")

  package static let weightCarried = Plant(
    96, "weight-carried", in: [.phone],
    happened:
      "The coach praised a stable weight for weeks in which the athlete was not weighed.",
    wrong:
      "A day without a weighing has the weight of the day before.",
    right:
      "It has none.",
    caughtBy: ["truth-totals"], sweptIn: "athlete")

  package static let hrvYesterday = Plant(
    97, "hrv-yesterday", in: [.phone],
    happened:
      "After a bad night the app advised a hard session, and a rest on the day after that.",
    wrong:
      "A day has the heart rate variability of the morning before.",
    right:
      "A day's variability is that of its own morning.",
    caughtBy: ["truth-totals"], sweptIn: "athlete")

  package static let listedWithPauses = Plant(
    98, "listed-with-pauses", in: [.phone],
    happened:
      "A run with a coffee stop was the slowest of the year in the list of runs, and right on its own page.",
    wrong:
      "The list shows the time from a run's start to its end.",
    right:
      "It shows the time without pauses, as the health store has it.",
    caughtBy: ["truth-results"], sweptIn: "athlete")

  package static let oneRunADay = Plant(
    99, "one-run-a-day", in: [.phone],
    happened:
      "Who ran to work and back had only the way back in the list of runs.",
    wrong:
      "The list has one run for each day.",
    right:
      "It has every run.",
    caughtBy: ["truth-results"], sweptIn: "athlete")

  package static let worstShotLeftOut = Plant(
    100, "worst-shot-left-out", in: [.phone],
    happened:
      "An athlete's stability rose with every shot that missed.",
    wrong:
      "The possible rings are counted without the worst shot.",
    right:
      "The score of a skill is of all shots.",
    caughtBy: ["truth-runs"], sweptIn: "athlete")

  package static let unscoredAsZero = Plant(
    84, "unscored-as-zero", in: [.phone],
    happened:
      "An athlete's balance fell with each set that she did not score.",
    wrong:
      "A set without a score counts as 0.",
    right:
      "The mean is of the sets that were scored.",
    caughtBy: ["truth-results"], sweptIn: "athlete")

  package static let lateWorkoutsLeft = Plant(
    85, "late-workouts-left", in: [.phone],
    happened:
      "The long run of a weekend without the phone was in the list of runs, and its energy in no day.",
    wrong:
      "Only the days since the last sync are fetched, whatever day a workout is of that comes to the health store.",
    right:
      "A workout that comes late has its day fetched again.",
    caughtBy: ["truth-days"], sweptIn: "athlete")
}
