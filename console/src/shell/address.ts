import { useCallback } from "react";
import { useLocation, useSearch } from "wouter";

/** A value in the query string: views keep their tab, turn, step and filter there, so that a link shows the same. */
export function useParam(name: string, otherwise = ""): [string, (value: string) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const value = new URLSearchParams(search).get(name) ?? otherwise;
  const set = useCallback(
    (next: string) => {
      const params = new URLSearchParams(location.search);
      if (next === otherwise) params.delete(name);
      else params.set(name, next);
      const text = params.toString();
      navigate(text ? `${path}?${text}` : path, { replace: true });
    },
    [name, navigate, otherwise, path],
  );
  return [value, set];
}
