import { useMutation } from '@tanstack/react-query'
import { supportEmail } from '../../session/support.ts'
import { toast } from '../../ui/toast.ts'
import { authErrorText } from './auth-error.ts'

type Answer = { data: unknown; error: { message: string } | null }
type Data<A extends Answer> = Extract<A, { error: null }>['data']

/** One call of the auth service: refusals become an error toast (requirements §4), the answer goes to `done`. */
export function useAuthCall<Input, A extends Answer>(
  run: (input: Input) => Promise<A>,
  done: (data: Data<A>, input: Input) => void,
) {
  return useMutation<Data<A>, Error, Input>({
    mutationFn: async (input) => {
      const { data, error } = await run(input)
      if (error) throw new Error(error.message)
      // Without an error the data is that of the other kind of answer.
      return data as Data<A>
    },
    onSuccess: done,
    onError: (error) => toast.error(authErrorText(error.message, supportEmail)),
  })
}
