import type { FieldErrors, UseFormRegister } from 'react-hook-form'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { descriptionProblem, keyNameProblem } from './key-rules.ts'

export type KeyValues = { name: string; description: string }

type Props = { register: UseFormRegister<KeyValues>; errors: FieldErrors<KeyValues> }

/** Name and description of a key. */
export const KeyFields = ({ register, errors }: Props) => (
  <>
    <TextField
      label="Name"
      mono
      autoComplete="off"
      help="Lower-case letters, digits and underscores, such as the name of the server that uses it."
      error={errors.name?.message}
      {...register('name', { validate: (name) => keyNameProblem(name.trim()) ?? true })}
    />
    <TextField
      label="Description (optional)"
      autoComplete="off"
      error={errors.description?.message}
      {...register('description', { validate: (text) => descriptionProblem(text) ?? true })}
    />
  </>
)
