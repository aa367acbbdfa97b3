/// A kind of workout; the raw values are the framework's.
public enum HKWorkoutActivityType: UInt, Sendable, CaseIterable {
  case americanFootball = 1, archery, australianFootball, badminton, baseball, basketball, bowling, boxing
  case climbing, cricket, crossTraining, curling, cycling, dance, danceInspiredTraining, elliptical
  case equestrianSports, fencing, fishing, functionalStrengthTraining, golf, gymnastics, handball, hiking
  case hockey, hunting, lacrosse, martialArts, mindAndBody, mixedMetabolicCardioTraining, paddleSports, play
  case preparationAndRecovery, racquetball, rowing, rugby, running, sailing, skatingSports, snowSports, soccer
  case softball, squash, stairClimbing, surfingSports, swimming, tableTennis, tennis, trackAndField
  case traditionalStrengthTraining, volleyball, walking, waterFitness, waterPolo, waterSports, wrestling, yoga
  case barre, coreTraining, crossCountrySkiing, downhillSkiing, flexibility, highIntensityIntervalTraining
  case jumpRope, kickboxing, pilates, snowboarding, stairs, stepTraining, wheelchairWalkPace
  case wheelchairRunPace, taiChi, mixedCardio, handCycling, discSports, fitnessGaming, cardioDance
  case socialDance, pickleball, cooldown
  case swimBikeRun = 82
  case transition, underwaterDiving
  case other = 3000
}

/// Where a workout takes place; the raw values are the framework's.
public enum HKWorkoutSessionLocationType: Int, Sendable { case unknown = 1, indoor, outdoor }

/// Where a swimmer swims; the raw values are the framework's.
public enum HKWorkoutSwimmingLocationType: Int, Sendable { case unknown = 0, pool, openWater }

/// The states of a session; the raw values are the framework's, in historical order.
public enum HKWorkoutSessionState: Int, Sendable { case notStarted = 1, running, ended, paused, prepared, stopped }

/// Whether a session is this device's own; the raw values are the framework's.
public enum HKWorkoutSessionType: Int, Sendable { case primary = 0, mirrored }

/// What happens in a workout; the raw values are the framework's.
public enum HKWorkoutEventType: Int, Sendable {
  case pause = 1, resume, lap, marker, motionPaused, motionResumed, segment, pauseOrResumeRequest
}
