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

/** Marks everything read from these endpoints as old, and reads again what is on the screen. */
export const forget = (...endpoints: Endpoint[]) =>
  Promise.all(endpoints.map((e) => queryClient.invalidateQueries({ queryKey: [e.name] })))

/** A call that changes something. `error` is what the last attempt failed of. */
export function useCall<E extends Endpoint>(
  endpoint: E,
  options?: Omit<UseMutationOptions<Output<E>, CallError, Input<E>>, 'mutationFn'>,
) {
  return useMutation<Output<E>, CallError, Input<E>>({
    mutationFn: (input) => call(endpoint, input),
    ...options,
  })
}
