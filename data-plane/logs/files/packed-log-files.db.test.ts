import { logStoreConformance } from '../../testing/logs/conformance.ts'
import { openStore } from '../../testing/logs/store.ts'

/** The same when everything is sealed and packed before each question: a file of one line is full. */
logStoreConformance('of packed files', async () => {
  const { store, close } = await openStore({ limits: { segmentBytes: 1, filesOfDay: 4 } })
  const packed =
    <A extends unknown[], R>(ask: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      await store.flush()
      await store.tidyAll()
      return ask(...args)
    }
  return {
    store: {
      ...store,
      page: packed(store.page),
      histogram: packed(store.histogram),
      facets: packed(store.facets),
      trace: packed(store.trace),
    },
    close,
  }
})
