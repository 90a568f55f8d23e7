import { expect, test } from 'vitest'
import { conditionIn } from './triggers.ts'

test.each([
  ['CREATE TRIGGER a BEFORE INSERT ON public.b FOR EACH ROW EXECUTE FUNCTION f()', null],
  [
    'CREATE TRIGGER a BEFORE INSERT ON public.b FOR EACH ROW WHEN ((new.a > 0)) EXECUTE FUNCTION f()',
    '(new.a > 0)',
  ],
  [
    `CREATE TRIGGER " FOR EACH ROW WHEN (no) """ AFTER UPDATE OF "FOR EACH" ON b FOR EACH STATEMENT WHEN (x) EXECUTE FUNCTION f(')')`,
    'x',
  ],
  [
    `CREATE TRIGGER a BEFORE INSERT ON b FOR EACH ROW WHEN ((new.a <> 'it''s :)'::text) AND (new."(" > 0)) EXECUTE FUNCTION f()`,
    `(new.a <> 'it''s :)'::text) AND (new."(" > 0)`,
  ],
  [
    `CREATE TRIGGER a BEFORE INSERT ON b FOR EACH ROW EXECUTE FUNCTION f(' FOR EACH ROW WHEN (')`,
    null,
  ],
])('%s', (definition, condition) => {
  expect(conditionIn(definition)).toBe(condition)
})
