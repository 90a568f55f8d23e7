import { expect, test } from 'vitest'
import {
  draftArgument,
  draftOf,
  draftSetting,
  newDraft,
  problemsOf,
  specOfDraft,
} from './function-draft.ts'

const draft = { ...newDraft('public'), name: 'add' }

test('a draft and back is the same function', () => {
  const spec = specOfDraft({
    ...draft,
    args: [{ ...draftArgument(), name: 'a', type: ' text ', default_value: " 'x' " }],
    comment: ' ',
  })
  expect(spec).toMatchObject({
    args: [{ mode: 'in', name: 'a', type: 'text', default_value: "'x'" }],
    config_params: { search_path: '' },
    comment: null,
  })
  expect(specOfDraft(draftOf(spec))).toMatchObject(spec)
})

test('columns of RETURNS TABLE are no arguments of the form', () => {
  const spec = {
    ...specOfDraft(draft),
    args: [{ mode: 'table' as const, name: 'id', type: 'integer', default_value: null }],
  }
  expect(draftOf(spec).args).toEqual([])
})

test('what is wrong is told at its field', () => {
  expect(problemsOf(draft)).toEqual({})
  const long = { ...draftArgument(), name: 'ü'.repeat(32) }
  const untyped = { ...draftArgument(), type: ' ' }
  const twice = [draftSetting('a'), draftSetting('a'), draftSetting('')]
  expect(
    problemsOf({
      ...draft,
      name: '',
      return_type: '',
      definition: ' ',
      args: [long, untyped],
      settings: twice,
    }),
  ).toEqual({
    name: 'Give it a name',
    return_type: 'Say what it returns; void is nothing',
    definition: 'Write what it does',
    [long.id]: 'A name has at most 63 bytes',
    [untyped.id]: 'An argument has a type',
    [twice[1]?.id ?? '']: 'This setting already exists',
    [twice[2]?.id ?? '']: 'Name the setting',
  })
  expect(problemsOf({ ...draft, kind: 'procedure', return_type: '' })).toEqual({})
})
