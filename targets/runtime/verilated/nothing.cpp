/* nothing.cpp: a program around nothing.v, for the objects that its build leaves. */
int main() {}
