import { Link } from '@tanstack/react-router'
import { useHasRoute } from '../../../session/organization/has-route.ts'

type Props = { projectRef: string; product: string | null; url: string | null }

/** The part of the product that an extension is for, where this build has a page for it. */
export function ProductLink({ projectRef, product, url }: Props) {
  const has = useHasRoute()
  if (!product || !url || !has(url.replace('{ref}', '$ref'))) return null
  return (
    <Link className="link t12" to={url.replace('{ref}', projectRef)}>
      {product}
    </Link>
  )
}
