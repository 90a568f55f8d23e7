import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const rooms = '{contract,kit,control-plane,data-plane,compute,dashboard,start,checks,journeys}'

/** The one file that takes minutes begins first: at the end it would run alone, with nothing beside it. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith('/faults.test.ts')
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/**
 * Three kinds of test by file name. `*.test.ts(x)` is fast and touches nothing outside the process;
 * `*.db.test.ts` needs the throw-away Postgres that the set-up starts; journeys open a real browser.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'fast',
          sequence: { groupOrder: 0 },
          include: [`${rooms}/**/*.test.{ts,tsx}`],
          exclude: ['**/*.db.test.ts', 'journeys/**', '**/node_modules/**'],
          // They touch nothing outside themselves, and a process of its own for each would take longer than all of them.
          isolate: false,
          // Properties of a thousand runs take their time on a busy machine.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'db',
          sequence: { groupOrder: 1 },
          include: [`${rooms}/**/*.db.test.ts`],
          exclude: ['journeys/**', '**/node_modules/**'],
          globalSetup: ['kit/testing/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          expect: { poll: { timeout: 10_000 } },
          // Each brings its own server or database, and ends the jobs it runs: they need no process of their own, which takes half as long again.
          isolate: false,
        },
      },
      {
        test: {
          name: 'journeys',
          // Last, and two files at once: a browser and whole platforms need the machine for themselves.
          sequence: { groupOrder: 2 },
          include: ['journeys/**/*.test.{ts,tsx}'],
          globalSetup: ['journeys/testing/global-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // A browser on a busy machine takes its time; what never comes still fails.
          expect: { poll: { timeout: 20_000 } },
          // One frame of the browser too early fails a walk of minutes. What passes at the second try only is named at
          // the end of the run.
          retry: 1,
          maxWorkers: 2,
        },
      },
    ],
  },
})
