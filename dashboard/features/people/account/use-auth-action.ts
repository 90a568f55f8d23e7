import { texts } from '../../../api/call-error.ts'
import { useChange, type ChangeOptions } from '../../../api/client.ts'

type Answer = { data: unknown; error: { message: string } | null }
type Data<A extends Answer> = Extract<A, { error: null }>['data']

/** A refusal of the auth service, with the reason that clients match. */
export class AuthRefusal extends Error {
  readonly code: string | undefined
  constructor(error: { message: string; code?: string | undefined }) {
    // What never reached the service has the browser's words.
    super(/fetch|network/i.test(error.message) && !error.code ? texts.network : error.message)
    this.code = error.code
  }
}

/** One call of the auth service whose refusal is shown where it was asked for. */
export function useAuthAction<Input, A extends Answer>(
  run: (input: Input) => Promise<A>,
  options: ChangeOptions<Data<A>, Input, AuthRefusal>,
) {
  return useChange<Data<A>, Input, AuthRefusal>(async (input) => {
    const { data, error } = await run(input)
    if (error) throw new AuthRefusal(error)
    // Without an error the data is that of the other kind of answer.
    return data as Data<A>
  }, options)
}
