/** The rate of every master; the platforms take 44.1 and 48 kHz, and 48 fits the picture's clock better. */
export const SAMPLE_RATE = 48_000

/** AAC comes in frames of so many samples, at any rate. */
export const AAC_FRAME_SAMPLES = 1024

/** Sound that ends after the picture makes the next loop's timestamps run backward; a gap below a frame does no harm. */
export const audioSamplesWithin = (seconds: number): number =>
  Math.floor((seconds * SAMPLE_RATE) / AAC_FRAME_SAMPLES) * AAC_FRAME_SAMPLES
