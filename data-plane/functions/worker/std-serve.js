// What https://deno.land/std/http/server.ts offered, on what replaced it.
export const serve = (handler, options) => Deno.serve({ ...options, handler }).finished
export const serveListener = (_listener, handler) => Deno.serve(handler).finished
