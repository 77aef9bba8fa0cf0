# Comments of the headers as Doxygen wants them: one that stands alone is about what follows, one behind
# a declaration about that. Rules and titles of sections are left out.
/^\/\* ----/ { print ""; next }
FNR == 1 && /^\/\* / { sub(/^\/\* /, "/** @file\n * "); print; next }
/^[ \t]*\/\* / { sub(/\/\* /, "/** "); print; next }
/[;,{][ \t]*\/\* / || /[A-Za-z0-9_][ \t]+\/\* / { sub(/\/\* /, "/**< "); print; next }
{ print }
