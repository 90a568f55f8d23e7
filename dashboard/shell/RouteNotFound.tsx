import { Link } from '@tanstack/react-router'
import { landing } from '../session/identity/return-to.ts'
import { buttonClass } from '../ui/controls/button-class.ts'
import { NotFound } from '../ui/NotFound.tsx'

export function RouteNotFound() {
  return (
    <NotFound
      action={
        <Link to={landing} className={buttonClass({ variant: 'primary' })}>
          Head back
        </Link>
      }
    />
  )
}
