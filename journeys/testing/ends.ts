type End = () => Promise<unknown>

const ends: End[] = []

/** Has `end` run when the test file is over, also when its beginning failed; what was opened last ends first. */
export function atEnd(end: End): void {
  ends.push(end)
}

/** Ends everything that the file has opened, and throws what could not be ended after the rest is. */
export async function endAll(): Promise<void> {
  const failures: unknown[] = []
  for (const end of ends.splice(0).toReversed()) {
    try {
      await end()
    } catch (failure) {
      failures.push(failure)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be ended')
}
