import type { Box, Connection, Placed } from './arrange.ts'

/** `arrange` in a worker of its own. */
export function arrangeBeside(
  boxes: readonly Box[],
  connections: readonly Connection[],
): Promise<Placed[]> {
  const worker = new Worker(new URL('./arrange-worker.ts', import.meta.url), { type: 'module' })
  return new Promise<Placed[]>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Placed[]>) => resolve(data))
    worker.addEventListener('error', (event) =>
      reject(new Error(event.message || 'The tables could not be arranged')),
    )
    worker.postMessage({ boxes, connections })
  }).finally(() => worker.terminate())
}
