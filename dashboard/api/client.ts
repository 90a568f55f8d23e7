import {
  QueryClient,
  queryOptions,
  useMutation,
  type UseMutationOptions,
} from '@tanstack/react-query'
import type { Endpoint, Input, Output } from '#contract/endpoint'
import { addressOf } from './address.ts'
import type { CallError } from './call-error.ts'
import { send } from './http.ts'
import { readAgain } from './read-again.ts'
import { retryDelay, shouldRetry } from './retry.ts'

export { CallError, messageOf } from './call-error.ts'

const minute = 60_000
/** How long read data counts as fresh (requirements §9). */
export const fresh = {
  default: minute,
  project: 30_000,
  profile: 30 * minute,
  permissions: 5 * minute,
  organizations: 30 * minute,
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: fresh.default, retry: shouldRetry, retryDelay },
  },
})

type Extra = {
  signal?: AbortSignal | undefined
  headers?: Record<string, string>
  /** The browser finishes the request even when the window closes. */
  keepalive?: boolean
}

/** Calls one endpoint. Throws a CallError. */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  extra: Extra = {},
): Promise<Output<E>> {
  // The contract says that an input is an object; its exact keys do not matter here.
  const { path, body } = addressOf(endpoint, input as Record<string, unknown>)
  const response = await send({ method: endpoint.method, path, body, ...extra })
  // The server is tested to answer as the contract says; the browser does not check it a second time.
  return (response.status === 204 ? undefined : await response.json()) as Output<E>
}

/** Query options of an endpoint. The key is its name and the input, so `forget` can find it. */
export function q<E extends Endpoint>(endpoint: E, input: Input<E>, staleTime = fresh.default) {
  return queryOptions<Output<E>, CallError>({
    queryKey: [endpoint.name, input],
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
    staleTime,
  })
}

/** Something that is read, by the name that its queries begin with: an endpoint, or what comes another way. */
export type Read = Pick<Endpoint, 'name'>

/**
 * Marks everything read from these endpoints as old, reads again what is on the screen, and waits until it has come (or has
 * failed once). What follows a change says this with `changes`; this is for what changed in another way.
 */
export const forget = (...read: Read[]): Promise<void> =>
  readAgain(
    queryClient,
    read.map(({ name }) => name),
  )

export type ChangeOptions<Data, Sent, Failure = CallError> = Omit<
  UseMutationOptions<Data, Failure, Sent>,
  'mutationFn'
> & {
  /** What reads what this changes: whatever of it is on the screen is read again, and then `onSuccess` runs. */
  changes?: readonly Read[] | ((data: Data, sent: Sent) => readonly Read[])
  /**
   * Runs before anything is read again. For the page of what is gone, which is left first, for reading it again would find
   * nothing; and for what the answer says already. All else, dialogs that close and words that it is done, is `onSuccess`.
   */
  onAnswer?: (data: Data, sent: Sent) => unknown
}

/** What `useChange` gives to `useMutation`. It is pending until what it changed has been read again. */
export function changeOptions<Data, Sent, Failure = CallError>(
  run: (sent: Sent) => Promise<Data>,
  { changes = [], onAnswer, onSuccess, ...options }: ChangeOptions<Data, Sent, Failure> = {},
): UseMutationOptions<Data, Failure, Sent> {
  return {
    ...options,
    mutationFn: run,
    // All three are those of one render: `onSuccess` speaks of what was there when somebody acted, and not of what has been read since.
    async onSuccess(data, sent, ...others) {
      await onAnswer?.(data, sent)
      await forget(...(typeof changes === 'function' ? changes(data, sent) : changes))
      await onSuccess?.(data, sent, ...others)
    },
  }
}

/** Something that changes what was read, in one call or several. `error` is what the last attempt failed of. */
export const useChange = <Data, Sent = void, Failure = CallError>(
  run: (sent: Sent) => Promise<Data>,
  options?: ChangeOptions<Data, Sent, Failure>,
) => useMutation<Data, Failure, Sent>(changeOptions(run, options))

export type CallOptions<E extends Endpoint> = ChangeOptions<Output<E>, Input<E>>

/** A call that changes something; `changes` says what. */
export const useCall = <E extends Endpoint>(endpoint: E, options?: CallOptions<E>) =>
  useChange<Output<E>, Input<E>>((input) => call(endpoint, input), options)
