import { useMutation } from '@tanstack/react-query'
import { supportEmail } from '../../../session/support.ts'
import { authErrorText, SignInError } from './auth-error.ts'

type Answer = { data: unknown; error: { message: string; code?: string | undefined } | null }
type Data<A extends Answer> = Extract<A, { error: null }>['data']

/** One call of the auth service: what it refuses stands at the form that asked, the answer goes to `done`. */
export function useAuthCall<Input, A extends Answer>(
  run: (input: Input) => Promise<A>,
  done: (data: Data<A>, input: Input) => void,
) {
  return useMutation<Data<A>, SignInError, Input>({
    mutationFn: async (input) => {
      const { data, error } = await run(input)
      if (error) throw new SignInError(authErrorText(error.message, supportEmail), error.code)
      // Without an error the data is that of the other kind of answer.
      return data as Data<A>
    },
    onSuccess: done,
  })
}
