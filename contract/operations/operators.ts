import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Instant } from '../values.ts'

/** Somebody who runs the installation: what `needs: 'operator'` asks for. */
const Operator = z.object({ email: z.string(), added_at: Instant })

/** Of a person who has signed up. */
const email = z.email().max(254)

/**
 * Who runs the installation. Only whoever may enter the platform's folder says so (or a program with the internal token): a
 * session that was taken over can make nobody an operator.
 */
export const operators = {
  list: endpoint('operators.list', 'GET /internal/operators', {
    needs: 'internal',
    local: true,
    input: z.object({}),
    returns: z.object({ operators: z.array(Operator) }),
  }),
  add: endpoint('operators.add', 'PUT /internal/operators/:email', {
    needs: 'internal',
    local: true,
    input: z.object({ email }),
    returns: Operator,
  }),
  /** Answers whether the person was one. */
  remove: endpoint('operators.remove', 'DELETE /internal/operators/:email', {
    needs: 'internal',
    local: true,
    input: z.object({ email }),
    returns: z.object({ removed: z.boolean() }),
  }),
}
